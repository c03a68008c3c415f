"""Training: settings by name, progress, Ctrl-C."""

from __future__ import annotations

import ctypes
import difflib
import math
import os
import warnings
from ctypes import byref
from dataclasses import dataclass
from typing import Any, Unpack

from . import _declarations as c
from ._arrays import classes
from ._data import Lent
from ._errors import check, plain
from ._frames import Written, has_words, is_frame
from ._library import call, kind_of, lib
from ._results import Record
from ._run import Run, open_run
from ._settings import TrainSettings
from ._watch import Progress, Stop

# what the settings are called here, where config.json would give two the same name or one that Python keeps
NAMES = {"regularizer.lambda": "lambda_", "data.seed": "data_seed"}
SPECIAL = ("data.source", "regularizer.m_rule", "regularizer.m")  # given otherwise


@dataclass(frozen=True)
class Setting:
    """A setting of a training, as the library's table has it."""

    name: str  # of the keyword
    key: str  # in config.json
    meaning: str
    kind: int
    offset: int
    choices: tuple[str, ...]
    low: float
    high: float


def read_settings() -> dict[str, Setting]:
    """The library's table, by keyword."""
    count = ctypes.c_size_t()
    at = lib.ecc_train_settings(byref(count))
    found = {}
    for entry in (c.ecc_train_setting * count.value).from_address(at):
        key = entry.key.decode()
        if key in SPECIAL:
            continue
        flag = entry.flag.decode().replace("-", "_") if entry.flag else key.split(".")[1]
        name = NAMES.get(key, flag)
        found[name] = Setting(
            name,
            key,
            entry.meaning.decode(),
            entry.kind,
            entry.offset,
            read_choices(entry.choices),
            entry.low,
            entry.high,
        )
    return found


def read_choices(at: int | None) -> tuple[str, ...]:
    found: list[str] = []
    while at:
        text = ctypes.c_char_p.from_address(at).value
        if text is None:
            break
        found.append(text.decode())
        at += ctypes.sizeof(ctypes.c_char_p)
    return tuple(found)


SETTINGS = read_settings()
KINDS: dict[int, tuple[Any, Any]] = {
    c.ECC_SETTING_COUNT: (ctypes.c_size_t, int),
    c.ECC_SETTING_U64: (ctypes.c_uint64, int),
    c.ECC_SETTING_NUMBER: (ctypes.c_double, float),
    c.ECC_SETTING_FLAG: (ctypes.c_bool, bool),
}


def meant(name: str) -> str:
    near = difflib.get_close_matches(name, [*SETTINGS, "m", "labels", "columns", "out", "progress", "callback"], 1)
    return f" (did you mean {near[0]}?)" if near else ""


class Options:
    """`struct ecc_train_options` with what its texts point to."""

    def __init__(self) -> None:
        self.struct = lib.ecc_train_defaults()
        self.texts: list[Any] = []

    def text(self, value: Any) -> bytes:
        encoded = os.fsencode(value)
        self.texts.append(encoded)
        return encoded

    def set(self, name: str, value: Any) -> None:
        if name == "m":
            return self.set_m(value)
        setting = SETTINGS.get(name)
        if setting is None:
            raise TypeError(f"train() has no setting {name!r}{meant(name)}: help(eccentric.train) lists them")
        at = ctypes.addressof(self.struct) + setting.offset
        if setting.kind == c.ECC_SETTING_TEXT:
            words = None if value is None else self.text(value)
            ctypes.c_char_p.from_address(at).value = words
        elif setting.kind == c.ECC_SETTING_CHOICE:
            if value not in setting.choices:
                raise ValueError(f"{name} is {value!r}, expected one of: {', '.join(setting.choices)}")
            ctypes.c_int.from_address(at).value = setting.choices.index(value)
        else:
            self.set_number(setting, at, value)
        return None

    def set_number(self, setting: Setting, at: int, value: Any) -> None:
        kind, convert = KINDS[setting.kind]
        if value is None and convert is float:
            value = math.nan
        try:
            number = convert(value)
        except (TypeError, ValueError):
            raise ValueError(f"{setting.name} is {value!r}, expected a number") from None
        if convert is int and (number < 0 or number != value):
            raise ValueError(f"{setting.name} is {value!r}, expected a whole number from 0")
        kind.from_address(at).value = number

    def set_m(self, value: Any) -> None:
        rules = {"paper": c.ECC_M_PAPER, "exact": c.ECC_M_EXACT}
        if isinstance(value, str):
            if value not in rules:
                raise ValueError(f"m is {value!r}, expected paper, exact or a number")
            self.struct.m_rule = rules[value]
        else:
            self.struct.m_rule, self.struct.m = c.ECC_M_GIVEN, float(value)

    def fill(self, settings: dict[str, Any]) -> None:
        settings = dict(settings)
        preset = settings.pop("preset", None)
        if preset not in (None, "paper"):
            raise ValueError(f"preset is {preset!r}, expected 'paper' or none")
        if "net" in settings:
            self.set("net", settings.pop("net"))
        if preset:
            lib.ecc_train_preset_paper(byref(self.struct))
        if "regularizer" in settings:
            call(lib.ecc_train_method, byref(self.struct), self.text(settings.pop("regularizer")))
        for name, value in settings.items():
            self.set(name, value)


# ---- Results ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Unseen(Record):
    """The model and PCA of the same size on items that were not trained on."""

    items_are: str  # "test" or "validation"
    items: int
    error: float  # mean squared errors; of tables in deviations of the columns
    pca_error: float
    variance: float  # 1 - error / variance is the share that is explained

    @property
    def explained(self) -> float:
        return 1 - self.error / self.variance


@dataclass(frozen=True)
class Training(Record):
    """What came out of a training."""

    steps: int
    epochs: float
    seconds: float
    items: int  # trained on
    validation_items: int  # kept aside to choose the model
    error: float  # mean squared error of the training items
    validation_error: float  # NaN without
    loss: float  # the eccentric loss
    lambda_: float  # at the end: a target moves it
    best_step: int
    refit: bool  # trained again on all items
    started_from_pca: bool
    unseen: Unseen | None
    stopped: bool  # by Ctrl-C or the callback
    remark: str


def training_of(r: c.ecc_train_result, stopped: bool) -> Training:
    u = r.unseen
    unseen = None
    if u.items_are:
        unseen = Unseen(u.items_are.decode(), u.items, u.error, u.pca_error, u.variance)
    return Training(
        steps=r.steps,
        epochs=r.epochs,
        seconds=r.seconds,
        items=r.items,
        validation_items=r.validation_items,
        error=r.error,
        validation_error=r.validation_error,
        loss=r.loss,
        lambda_=getattr(r, "lambda"),
        best_step=r.best_step,
        refit=r.refit,
        started_from_pca=r.started_from_pca,
        unseen=unseen,
        stopped=stopped,
        remark=r.remark.decode(),
    )


@dataclass(frozen=True)
class Step(Record):
    """What a callback is told after a step."""

    step: int
    total: int  # 0: not known yet
    epoch: float
    seconds: float
    error: float
    regularizer: float
    lambda_: float
    rate: float
    eccentricity: float
    trace: float


class Job:
    """`struct ecc_train_job`: shows progress, calls the callback, and stops on Ctrl-C."""

    def __init__(self, out: bytes | None, overwrite: bool, progress: bool | None, callback: Any) -> None:
        self.progress, self.callback = Progress(progress), callback
        self.stop = Stop()
        self.stopped = False
        self.failure: BaseException | None = None
        self.remarks: list[str] = []
        self.struct = c.ecc_train_job(
            out=out,
            overwrite=overwrite,
            on_step=kind_of(c.ecc_train_job, "on_step")(self.on_step),
            keep_stopped=out is None,
            on_remark=kind_of(c.ecc_train_job, "on_remark")(self.on_remark),
        )

    def on_step(self, _context: int | None, at: int) -> bool:
        try:
            if self.progress.due():
                self.show(c.ecc_train_progress.from_address(at))
            if self.callback is not None and self.callback(step_of(at)) is False:
                self.stopped = True
            self.stopped = self.stopped or self.stop.asked
        except BaseException as error:  # raised again by train()
            self.failure = error
            return False
        return not self.stopped

    def on_remark(self, _context: int | None, sentence: bytes) -> None:
        self.remarks.append(plain(sentence))

    def show(self, p: c.ecc_train_progress) -> None:
        total = f" of {p.total:,}" if p.total else ""
        left = p.seconds / p.step * (p.total - p.step) if p.total else 0
        rest = f", {left:.0f} s left" if left else ""
        self.progress.write(f"step {p.step:,}{total}, error {p.error:.4g}, eccentricity {p.eccentricity:.2f}{rest}")


def step_of(at: int) -> Step:
    p = c.ecc_train_progress.from_address(at)
    weight = getattr(p, "lambda")
    return Step(p.step, p.total, p.epoch, p.seconds, p.error, p.regularizer, weight, p.rate, p.eccentricity, p.trace)


# ---- train() ---------------------------------------------------------------------------------------


def train(
    data: Any,
    labels: Any = None,
    *,
    numbers: dict[str, Any] | None = None,
    columns: list[str] | str | None = None,
    out: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    hold_out: bool = True,
    progress: bool | None = None,
    callback: Any = None,
    **settings: Unpack[TrainSettings],
) -> Run:
    """Trains an autoencoder whose latents are held in shape by the eccentric loss.

    data: a table [n, columns] (NaN where a cell is missing; a data frame gives the names of its columns, and may
    hold words and dates, as a CSV file may), images [n, height, width] or [n, channels, height, width] from 0 to
    1 or as bytes, or DATA as the commands name it: a path, "mnist", "glyphs".
    labels: [n], classes of any kind, for run.classify() and the explorer; they are not trained on.  For a path:
    a file of labels.  numbers: {"age": [n], ...}, to predict.
    columns: names of the columns; of a text table, those to use.
    out: a run directory to make; without it, the model stays in memory.
    hold_out: of an array, a tenth of the items is not trained on, so that run.training.unseen tells the error
    of unseen items beside PCA's.  False: train on all.
    progress: a line on stderr; None: in notebooks and terminals.
    callback: called with a Step after each step; returning False stops the training.

    Ctrl-C stops with what there is: the model so far, or, with `out`, a checkpoint.

    Settings, with the defaults of `eccentric train`; preset="paper" has the paper's own:
    """
    options = Options()
    lent: Lent | Written | None = None
    if isinstance(data, (str, os.PathLike)):
        options.struct.data = options.text(data)
        if labels is not None:
            options.set("labels", labels)
        if columns is not None:
            options.set("columns", columns if isinstance(columns, str) else ",".join(columns))
    else:
        names = None if columns is None else list(columns)
        lent = held(data, labels, names, numbers)
        if isinstance(lent, Written):
            options.set("label", lent.label)
        options.struct.data = options.text(lent.data("train" if hold_out else "all"))
    options.fill(dict(settings))
    path = None if out is None else os.fsencode(out)
    return run_job(options, Job(path, overwrite, progress, callback), lent)


def held(data: Any, labels: Any, names: list[str] | None, numbers: dict[str, Any] | None) -> Lent | Written:
    """Arrays are lent to the library; data frames with words or dates become a file."""
    if not (is_frame(data) and has_words(data)):
        return Lent(data, labels, columns=names, numbers=numbers)
    if numbers:
        raise ValueError("numbers= needs a table of numbers; this one has words or dates: name a column with label=")
    if labels is not None:
        known = classes(labels, len(data))
        labels = known[1][known[0]]
    return Written(data, labels, names)


def run_job(options: Options, job: Job, lent: Lent | Written | None) -> Run:
    result, error = c.ecc_train_result(), c.ecc_error()
    with job.stop:
        status = lib.ecc_train(byref(result), byref(options.struct), byref(job.struct), byref(error))
    job.progress.end()
    if job.failure is not None:
        lib.ecc_train_result_release(byref(result))
        raise job.failure
    for remark in job.remarks:
        warnings.warn(remark, stacklevel=3)
    if status == c.ECC_INTERRUPTED and job.struct.out:
        return interrupted(job, lent)
    check(status, error)
    handle, result.model = result.model, None
    found = Run(handle, job.struct.out and os.fsdecode(job.struct.out), lent)
    found.training = training_of(result, job.stopped)
    lib.ecc_train_result_release(byref(result))
    if job.stopped:
        warnings.warn(f"stopped after step {found.training.steps:,}: this is the model so far", stacklevel=3)
    return found


def interrupted(job: Job, lent: Lent | Written | None) -> Run:
    path = os.fsdecode(job.struct.out)
    warnings.warn(
        f"stopped: {path} is used as its checkpoint left it; `eccentric train --resume {path}` continues, "
        "unless it was trained on an array",
        stacklevel=4,
    )
    found = open_run(path)
    found._lent = lent
    return found


def described(setting: Setting) -> str:
    choices = f" ({', '.join(setting.choices)})" if setting.choices else ""
    return f"    {setting.name}: {setting.meaning}{choices}"


if train.__doc__:
    lines = [described(setting) for setting in SETTINGS.values()]
    lines.append("    m: where the constant M comes from (paper, exact), or a number")
    train.__doc__ = train.__doc__.rstrip() + "\n\n" + "\n".join(lines) + "\n"
