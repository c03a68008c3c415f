"""Prints what test_classify.c and test_predictions.c expect of scikit-learn: best stumps, accuracies of trees and of nearest
neighbours, measures for rare classes, and numbers predicted by neighbours and trees.

usage: classify_golden.py     (needs numpy and scikit-learn)
"""
import numpy as np
from sklearn.metrics import balanced_accuracy_score, confusion_matrix, f1_score, mean_absolute_error, r2_score
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor


def points(n, d, first):
    """The same numbers as make_points in test_classify.c: whole numbers scrambled, then float32."""
    i = np.arange(first * d, (first + n) * d, dtype=np.uint64)
    x = (i * np.uint64(2654435761) + np.uint64(12345)) & np.uint64(0xFFFFFFFF)
    x = ((x ^ (x >> np.uint64(15))) * np.uint64(2246822519)) & np.uint64(0xFFFFFFFF)
    x = x ^ (x >> np.uint64(13))
    return (x / 4294967296.0).astype(np.float32).reshape(n, d)


def classes(x):
    return ((x[:, 1] > 0.45).astype(int) + 2 * (x[:, 3] * x[:, 0] > 0.2)).astype(int)


train, test = points(3000, 6, 0), points(1000, 6, 3000)
y, t = classes(train.astype(float)), classes(test.astype(float))
stump = DecisionTreeClassifier(criterion="entropy", max_depth=1).fit(train, y).tree_
weights = stump.weighted_n_node_samples
gain = stump.impurity[0] - (weights[1] * stump.impurity[1] + weights[2] * stump.impurity[2]) / weights[0]
print("classes", np.bincount(y), "stump: feature", stump.feature[0], "threshold", repr(stump.threshold[0]), "gain", repr(gain))
for a in range(3):
    b = (train[:, a] + train[:, 5] > 1 + 0.1 * a).astype(int)
    s = DecisionTreeClassifier(criterion="entropy", max_depth=1).fit(train, b).tree_
    w = s.weighted_n_node_samples
    g = s.impurity[0] - (w[1] * s.impurity[1] + w[2] * s.impurity[2]) / w[0]
    print("attribute", a, "feature", s.feature[0], "threshold", repr(s.threshold[0]), "gain", repr(g))
for depth in (1, 2, 3, 8, None):
    tree = DecisionTreeClassifier(criterion="entropy", max_depth=depth, random_state=0).fit(train, y)
    print("depth", depth, "wrong", (tree.predict(test) != t).sum(), "of train", (tree.predict(train) != y).sum(), "nodes", tree.tree_.node_count)
for k in (1, 4, 15):
    p = KNeighborsClassifier(k, algorithm="brute").fit(train.astype(float), y).predict(test.astype(float))
    print("neighbours", k, "wrong", (p != t).sum(), "sum of i * prediction", (np.arange(len(p)) * p).sum())

# Measures of test_predictions.c: rare classes, a class that is never predicted (3) and one that never occurs (5).
i = np.arange(500)
truth = np.where(i % 50 == 0, 3, np.where(i % 7 == 0, 2, (i * i + i // 3) % 2))
predicted = np.where((i * 31) % 11 < 7, truth % 3, (i * 13) % 5)
predicted[predicted == 3] = 5
print("error", repr(np.mean(truth != predicted)), "balanced", repr(1 - balanced_accuracy_score(truth, predicted)),
      "macro F1", repr(f1_score(truth, predicted, average="macro")))
print(confusion_matrix(truth, predicted, labels=range(6)).tolist())


def numbers(x):
    x = x.astype(float)
    return 40 + 30 * x[:, 0] * x[:, 1] - 12 * x[:, 2] + 5 * (x[:, 4] > 0.7)


v, u = numbers(train), numbers(test)


def say(name, p, q=u):
    print(name, "r2", repr(r2_score(q, p)), "mae", repr(mean_absolute_error(q, p)), "rmse", repr(np.sqrt(np.mean((q - p) ** 2))))


for k in (1, 5, 9):
    say(f"neighbours {k}", KNeighborsRegressor(k, algorithm="brute").fit(train.astype(float), v).predict(test.astype(float)))
for depth in (1, 3, 8, None):
    model = DecisionTreeRegressor(max_depth=depth, random_state=0).fit(train, v)
    tree = model.tree_
    count, spread = tree.n_node_samples, tree.impurity
    left, right = tree.children_left[0], tree.children_right[0]
    gain = spread[0] - (count[left] * spread[left] + count[right] * spread[right]) / count[0]
    print("depth", depth, "nodes", tree.node_count, "feature", tree.feature[0], "threshold", repr(tree.threshold[0]), "gain", repr(gain))
    say("    test items", model.predict(test))
    say("    training items", model.predict(train), v)
