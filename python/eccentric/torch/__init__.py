"""For PyTorch: the loss as a module, and models that go to a run directory and come back.

    from eccentric.torch import EccentricLoss, load_run, save_run
    loss = reconstruction + 1e-3 * EccentricLoss()(z)      # z: [N, d]

Importing `eccentric` alone does not import torch.
"""

from __future__ import annotations

from ._module import EccentricLoss

__all__ = ["EccentricLoss"]
