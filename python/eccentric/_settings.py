"""Keywords of train(), generated from the library's table by tools/settings.py: do not edit."""

from os import PathLike
from typing import Literal, TypedDict


class TrainSettings(TypedDict, total=False):
    preset: Literal["paper"] | None
    m: float | Literal["paper", "exact"]
    net: str | PathLike[str] | None
    width: float
    latent: int
    regularizer: str | PathLike[str] | None
    lambda_: float
    mu: float
    pairs: Literal["published", "distinct"]
    target_eccentricity: float
    target_loss: float
    reconstruction: Literal["mse", "bce"]
    binarize: bool
    epochs: float
    minutes: float
    total_steps: int
    batch: int
    lr: float
    final_lr: float
    schedule: Literal["constant", "cosine", "fall"]
    fall: float
    warmup: int
    average: float
    decay: float
    beta1: float
    beta2: float
    epsilon: float
    validation: int
    keep: Literal["last", "best", "refit", "auto"]
    patience: float
    items: int
    crop: int
    size: int
    metadata: str | PathLike[str] | None
    strict: bool
    label: str | PathLike[str] | None
    drop: str | PathLike[str] | None
    decimal: Literal["auto", "point", "comma"]
    scaling: Literal["standard", "robust"]
    data_seed: int
    direct: bool
    sync_norm: bool
    tensorboard: bool
    checkpoint_seconds: float
    seed: int
    threads: int
