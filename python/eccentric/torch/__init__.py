"""For PyTorch: the loss as a module, and models that go to a run directory and come back.

    from eccentric.torch import EccentricLoss, load_run, save_run
    loss = reconstruction + 1e-3 * EccentricLoss()(z)      # z: [N, d]

Importing `eccentric` alone does not import torch.
"""

from __future__ import annotations

from ._layers import Affine, Bypass, First
from ._module import EccentricLoss
from ._quick import build_native
from ._run import load_run, save_run

__all__ = ["Affine", "Bypass", "EccentricLoss", "First", "build_native", "load_run", "save_run"]
