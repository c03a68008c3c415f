"""A BiGAN (Donahue et al., 2017) whose encoder is linear at its end and held in shape by the eccentric loss.

    python bigan.py mnist      # or fashion-mnist, or a folder with the files of one of them

The prior is uniform on the sphere of radius sqrt(d), where the loss has its minimum, so that the two agree.
1-NN: the class of the nearest training item, by the encodings.
"""

import eccentric
import torch
import torch.nn.functional as F  # noqa: N812
from torch import nn

from common import Penalty, batches, compare, digits, shape

D, WIDTH = 32, 256


def block(inputs: int, activation: nn.Module) -> list[nn.Module]:
    return [nn.Linear(inputs, WIDTH), nn.BatchNorm1d(WIDTH), activation]


def prior(n: int) -> torch.Tensor:
    return F.normalize(torch.randn(n, D)) * D**0.5


class Critic(nn.Module):
    """Tells pairs (x, E(x)) from pairs (G(z), z)."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Sequential(nn.Linear(784, WIDTH), nn.LeakyReLU(0.2))
        self.rest = nn.Sequential(*block(WIDTH + D, nn.LeakyReLU(0.2)), nn.Linear(WIDTH, 1))

    def forward(self, x: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        return self.rest(torch.cat([self.first(x), z], 1))


def pair_loss(scores: torch.Tensor, real: float) -> torch.Tensor:
    return F.binary_cross_entropy_with_logits(scores, torch.full_like(scores, real)) / 2


def run(options, weight: float, penalty: Penalty) -> dict[str, float]:
    images, labels = digits(options.data, "train", options.items or 10000)
    test, truth = digits(options.data, "t10k", 5000)
    x, test = images.flatten(1), test.flatten(1)
    leaky = nn.LeakyReLU(0.2)
    encoder = nn.Sequential(nn.Linear(784, WIDTH), leaky, *block(WIDTH, leaky), nn.Linear(WIDTH, D))
    generator = nn.Sequential(*block(D, nn.ReLU()), *block(WIDTH, nn.ReLU()), nn.Linear(WIDTH, 784), nn.Sigmoid())
    critic = Critic()
    settings = {"lr": 5e-4, "betas": (0.5, 0.999), "weight_decay": 2.5e-5}
    ours = torch.optim.Adam([*encoder.parameters(), *generator.parameters()], **settings)
    theirs = torch.optim.Adam(critic.parameters(), **settings)
    for rows in batches(len(x), 125, options.epochs or 10):
        z, real = prior(len(rows)), x[rows]
        e, g = encoder(real), generator(z)
        scores = critic(torch.cat([real, g.detach()]), torch.cat([e.detach(), z])).chunk(2)
        theirs.zero_grad()
        (pair_loss(scores[0], 1) + pair_loss(scores[1], 0)).backward()
        theirs.step()
        scores = critic(torch.cat([real, g]), torch.cat([e, z])).chunk(2)
        ours.zero_grad()
        (pair_loss(scores[0], 0) + pair_loss(scores[1], 1) + weight * penalty(e)).backward()
        ours.step()
    encoder.eval(), generator.eval()
    with torch.no_grad():
        known, asked = encoder(x), encoder(test)
        back = F.mse_loss(generator(asked), test)
    nearest = eccentric.neighbours(known, asked, 1).index[:, 0]
    wrong = (labels[nearest] != truth).float().mean()
    return {"1-NN error %": 100 * float(wrong), "error of G(E(x))": float(back)} | shape(asked)


compare(__doc__, run, 1e-2)
