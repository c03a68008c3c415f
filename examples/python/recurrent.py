"""A recurrent net that reads a digit row by row, its states held in shape by the eccentric loss.

    python recurrent.py mnist      # or fashion-mnist, or a folder with the files of one of them

At each of the 28 steps the states of the batch repel each other; never those of one sequence at different steps.
tanh ends at 1, so the loss is on what goes into it.  Nothing but the last state reaches the classifier.
"""

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from common import Penalty, batches, compare, digits, shape

D = 64


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inputs, self.states, self.out = nn.Linear(28, D), nn.Linear(D, D, bias=False), nn.Linear(D, 10)

    def forward(self, x: Tensor) -> tuple[Tensor, list[Tensor]]:
        """Scores [N, 10], and what goes into tanh at each step, T times [N, D], of x: [N, T, 28]."""
        rows, h, before = self.inputs(x), x.new_zeros(len(x), D), []
        for row in rows.unbind(1):
            before.append(row + self.states(h))
            h = before[-1].tanh()
        return self.out(h), before


def reach(net: Net, x: Tensor, labels: Tensor) -> float:
    """How much of the gradient at the last step arrives at the first."""
    scores, before = net(x)
    first, last = torch.autograd.grad(F.cross_entropy(scores, labels), [before[0], before[-1]])
    return float(first.norm() / last.norm())


def run(options, weight: float, penalty: Penalty) -> dict[str, float]:
    x, labels = digits(options.data, "train", options.items or 5000)
    test, truth = digits(options.data, "t10k", 5000)
    net = Net()
    adam = torch.optim.Adam(net.parameters(), 1e-3)
    for rows in batches(len(x), 100, options.epochs or 12):
        scores, before = net(x[rows])
        loss = F.cross_entropy(scores, labels[rows]) + weight * penalty(torch.stack(before))
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        adam.step()
    with torch.no_grad():
        scores, before = net(test)
    wrong = (scores.argmax(1) != truth).float().mean()
    found = {"test error %": 100 * float(wrong), "gradient first/last": reach(net, test[:500], truth[:500])}
    middle = {f"{name}, middle": value for name, value in shape(before[14]).items()}
    return found | middle | shape(before[27])


compare(__doc__, run, 1e-3, 1e-2)
