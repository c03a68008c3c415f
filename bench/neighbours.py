"""How many neighbours? Errors of fixed numbers and of the rule of `eccentric classify`, by cross-validation on training rows.

usage: neighbours.py TABLES        (a directory with optdigits.tra, spambase.data, SRBCT.csv; needs numpy and scikit-learn)

A tenth of the rows is set aside and never looked at (optdigits: its own test file). Five folds, ten times for sets below 700
rows, twice below 3,000, else once. Errors are means over three views of the rows: all columns standardised, and their first
2 and 8 principal components. "rare" keeps a twelfth of a class, "uneven" halves each class after the other.
"""
import csv
import sys
import warnings

import numpy as np
from sklearn import datasets
from sklearn.decomposition import PCA
from sklearn.model_selection import KFold, StratifiedKFold, train_test_split
from sklearn.neighbors import NearestNeighbors
from sklearn.tree import DecisionTreeRegressor

warnings.simplefilter("ignore")
MOST = 31
FIXED = (1, 3, 5, 9, 15)


def odd(value):
    return 1 + 2 * int(value / 2)


def rule(labels):
    """ecc_knn_choose"""
    sizes = np.sort(np.bincount(labels)[np.bincount(labels) > 0])
    return min(15, odd(np.sqrt(sizes[(len(sizes) - 1) // 4]) / 2))


def rule_of_means(n):
    """ecc_knn_choose_mean"""
    return min(n, max(9, min(15, odd(np.cbrt(n)))))


def read(path):
    rows = np.array(list(csv.reader(open(path)))[1:])
    return rows[:, :-1].astype(float), np.unique(rows[:, -1], return_inverse=True)[1]


def load(tables):
    for name in "iris", "wine", "breast_cancer", "digits":
        x, y = getattr(datasets, "load_" + name)(return_X_y=True)
        yield name.replace("_", " "), x, y
    for name in "optdigits.tra", "spambase.data", "SRBCT.csv":
        yield name.split(".")[0], *read(f"{tables}/{name}")


def variants(name, x, y):
    yield name, x, y
    rng = np.random.default_rng(0)
    if name in ("breast cancer", "spambase"):
        rare = 0 if name == "breast cancer" else 1
        some = rng.permutation(np.where(y == rare)[0])[: (y != rare).sum() // 12]
        keep = np.concatenate([np.where(y != rare)[0], some])
        yield name + ", rare", x[keep], y[keep]
    if name in ("digits", "optdigits"):
        sizes = np.bincount(y)
        keep = np.concatenate([rng.permutation(np.where(y == c)[0])[: max(6, sizes[c] >> c)] for c in range(7)])
        yield name + ", uneven", x[keep], y[keep]


def views(x, train, test):
    mean, deviation = x[train].mean(0), x[train].std(0)
    deviation[deviation == 0] = 1
    u, v = (x[train] - mean) / deviation, (x[test] - mean) / deviation
    yield u, v
    for d in 2, 8:
        if d < x.shape[1]:
            pca = PCA(d, svd_solver="full").fit(u)
            yield pca.transform(u), pca.transform(v)


def repeats(n):
    return 10 if n < 700 else 2 if n < 3000 else 1


def neighbours(u, v):
    return NearestNeighbors(n_neighbors=min(MOST, len(u))).fit(u).kneighbors(v, return_distance=False)


def classes(x, y):
    """[view, k] of (error, balanced error) in percent; the last k is the rule's."""
    count, sums, chosen, folds = y.max() + 1, {}, set(), 0
    for seed in range(repeats(len(y))):
        for a, b in StratifiedKFold(5, shuffle=True, random_state=seed).split(x, y):
            k_rule = rule(y[a])
            chosen.add(k_rule)
            folds += 1
            for view, (u, v) in enumerate(views(x, a, b)):
                index = neighbours(u, v)
                votes = np.zeros((len(b), count), int)
                for k in range(1, MOST + 1):
                    if k <= index.shape[1]:
                        votes[np.arange(len(b)), y[a][index[:, k - 1]]] += 1
                    wrong = votes.argmax(1) != y[b]
                    balanced = np.mean([wrong[y[b] == c].mean() for c in np.unique(y[b])])
                    for key in (k, "rule") if k == k_rule else (k,):
                        sums[view, key] = sums.get((view, key), 0) + 100 * np.array([wrong.mean(), balanced])
    return {key: value / folds for key, value in sums.items()}, chosen


def study_classes(tables):
    excess = {k: [] for k in (*FIXED, "rule")}
    head = [f"k = {k}" for k in FIXED] + ["rule"]
    print("| data | rows | classes | rule's k | " + " | ".join(head) + " | " + " | ".join(head) + " |")
    print("|---" * (4 + 2 * len(head)) + "|")
    for source, x, y in load(tables):
        if source != "optdigits":
            x, _, y, _ = train_test_split(x, y, test_size=0.1, random_state=1, stratify=y)
        for name, x1, y1 in variants(source, x, y):
            errors, chosen = classes(x1, y1)
            seen = sorted({view for view, _ in errors})
            for view in seen:
                best = min(errors[view, k][0] for k in range(1, MOST + 1)), min(errors[view, k][1] for k in range(1, MOST + 1))
                for k in excess:
                    excess[k].append(errors[view, k] - best)
            sizes = np.bincount(y1)
            cells = [[np.mean([errors[view, k][m] for view in seen]) for k in excess] for m in (0, 1)]
            print(f"| {name} | {len(y1)} | {len(sizes)} of {sizes.min()} to {sizes.max()} | {', '.join(map(str, sorted(chosen)))} | "
                  + " | ".join(f"{c:.1f}" for c in cells[0] + cells[1]) + " |", flush=True)
    means = [np.mean(excess[k], axis=0) for k in excess]
    print("| mean excess over the best k | | | | " + " | ".join(f"{m[0]:.2f}" for m in means) + " | " + " | ".join(f"{m[1]:.2f}" for m in means) + " |")


def numbers(tables):
    x, y = datasets.load_diabetes(return_X_y=True)
    yield "diabetes", x, y
    linnerud = datasets.load_linnerud()
    yield "linnerud, situps", linnerud.target, linnerud.data[:, 1]
    columns = {"iris": (3,), "wine": (0, 12), "breast cancer": (4, 9), "digits": (20,), "optdigits": (27,), "spambase": (15,)}
    for name, x, _ in load(tables):
        for c in columns.get(name, ()):
            yield f"{name}, column {c + 1}", np.delete(x, c, 1), x[:, c]


def study_numbers(tables):
    depths = (1, 2, 3, 4, 6, 8)
    keys = [*FIXED, 21, "rule"]
    print("\n| number | rows | rule's k | " + " | ".join(f"k = {k}" if k != "rule" else "rule" for k in keys) + " | " + " | ".join(f"depth {d}" for d in depths) + " |")
    print("|---" * (3 + len(keys) + len(depths)) + "|")
    excess, behind = {k: [] for k in keys}, {d: [] for d in depths}
    for name, x, y in numbers(tables):
        x, _, y, _ = train_test_split(x, y, test_size=0.1, random_state=1)
        sums, total, chosen = {}, 0, set()
        for seed in range(repeats(len(y))):
            for a, b in KFold(5, shuffle=True, random_state=seed).split(x):
                total += ((y[b] - y[a].mean()) ** 2).sum()
                chosen.add(rule_of_means(len(a)))
                for view, (u, v) in enumerate(views(x, a, b)):
                    index = neighbours(u, v)
                    for k in keys:
                        near = index[:, : rule_of_means(len(a)) if k == "rule" else k]
                        sums[view, k] = sums.get((view, k), 0) + ((y[a][near].mean(1) - y[b]) ** 2).sum()
                    for d in depths:
                        tree = DecisionTreeRegressor(max_depth=d, random_state=0).fit(u, y[a])
                        sums[view, -d] = sums.get((view, -d), 0) + ((tree.predict(v) - y[b]) ** 2).sum()
        r2 = {key: 1 - value / total for key, value in sums.items()}
        seen = sorted({view for view, _ in r2})
        for view in seen:
            for k in keys:
                excess[k].append(max(r2[view, q] for q in keys) - r2[view, k])
            for d in depths:
                behind[d].append(max(r2[view, -q] for q in depths) - r2[view, -d])
        cells = [np.mean([r2[view, k] for view in seen]) for k in keys + [-d for d in depths]]
        print(f"| {name} | {len(y)} | {', '.join(map(str, sorted(chosen)))} | " + " | ".join(f"{c:.2f}" for c in cells) + " |", flush=True)
    print("| mean distance from the best | | | " + " | ".join(f"{np.mean(v):.3f}" for v in [*excess.values(), *behind.values()]) + " |")


if __name__ == "__main__":
    study_classes(sys.argv[1])
    study_numbers(sys.argv[1])
