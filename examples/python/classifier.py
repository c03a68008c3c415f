"""A convolutional classifier with the eccentric loss on its last hidden layer, before the activation.

    python classifier.py fashion-mnist      # or mnist, or a folder with the files of one of them

Few training items (2,000), so that a regularizer has something to do.  After a ReLU the mean cannot be 0, where
the loss wants it: hence the pre-activations.
"""

import torch
import torch.nn.functional as F  # noqa: N812
from torch import nn

from common import Penalty, batches, compare, digits, shape


def run(options, weight: float, penalty: Penalty) -> dict[str, float]:
    x, labels = digits(options.data, "train", options.items or 2000)
    test, truth = digits(options.data, "t10k", 10000)
    features = nn.Sequential(  # 28 -> 12 -> 4
        nn.Conv2d(1, 16, 5, stride=2),
        nn.ReLU(),
        nn.Conv2d(16, 32, 5, stride=2),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(512, 64),
    )
    head = nn.Sequential(nn.ReLU(), nn.Linear(64, 10))
    adam = torch.optim.Adam([*features.parameters(), *head.parameters()], 1e-3)
    for rows in batches(len(x), 100, options.epochs or 20):
        h = features(x[rows, None])
        loss = F.cross_entropy(head(h), labels[rows]) + weight * penalty(h)
        adam.zero_grad()
        loss.backward()
        adam.step()
    with torch.no_grad():
        h = torch.cat([features(part[:, None]) for part in test.split(500)])
        scores = head(h)
    wrong = (scores.argmax(1) != truth).float().mean()
    return {"test error %": 100 * float(wrong), "cross-entropy": float(F.cross_entropy(scores, truth))} | shape(h)


compare(__doc__, run, 1e-3, 1e-2)
