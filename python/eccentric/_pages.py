"""Pages to keep and to mail: the report of a run, the explorer as one file, methods side by side."""

from __future__ import annotations

import contextlib
import csv
import ctypes
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from ctypes import byref
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from . import _declarations as c
from ._data import Lent
from ._explore import on_disk
from ._library import call, has_pages, lib, libc_free
from ._loss import choose
from ._results import Record, frame, summary
from ._watch import Watch

if TYPE_CHECKING:
    from ._run import Run

Path_ = str | os.PathLike[str]


def need_pages() -> None:
    if not has_pages:
        raise RuntimeError("this library cannot write pages: install the wheel, or load libeccentric_pages.so")


# ---- The report ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Report(Record):
    """A page about a run."""

    path: str
    bytes: int
    items: int  # that were measured; 0: there were none
    error: float  # mean squared error of these items; NaN without
    kept: float  # share of their variance that comes back
    missing: dict[str, str]  # what the page leaves out, and why


@contextlib.contextmanager
def stored(run: Run) -> Iterator[ctypes.c_void_p]:
    """The run opened from a directory: what is in memory only is saved for a moment."""
    with contextlib.ExitStack() as stack:
        path = run.path
        if path is None:
            path = os.path.join(stack.enter_context(tempfile.TemporaryDirectory(prefix="eccentric-")), "run")
            run.save(path)
        model = ctypes.c_void_p()
        batch, threads = run._plan
        call(
            lib.ecc_model_open,
            byref(model),
            os.fsencode(path),
            byref(c.ecc_model_options(batch=batch, threads=threads)),
        )
        try:
            yield model
        finally:
            lib.ecc_model_close(model)


def write_report(
    run: Run,
    path: Path_,
    data: Any,
    test: Path_ | None,
    items: int,
    baselines: bool,
    seed: int,
    progress: bool | None,
) -> Report:
    need_pages()
    name, kept = (None, None) if data is None else run._data(data)  # where it is gone, the page says so
    options = c.ecc_report_options(data=name, items=items, no_baselines=not baselines, seed=seed)
    options.test = None if test is None else os.fsencode(test)
    found = c.ecc_report_result()
    with stored(run) as model, Watch(progress) as watch:
        call(lib.ecc_report_run, byref(found), model, os.fsencode(path), byref(options), watch.pointer)
    del kept
    missing = {gap.what.decode(): gap.why.text.decode() for gap in found.gaps[: found.gap_count]}
    if run.path is None and "training" in missing:
        missing["training"] = "the run is in memory: train(..., out=) keeps the course of its training"
    return Report(
        os.fspath(path),
        found.bytes,
        found.seen.items if found.has_items else 0,
        found.error if found.has_items else float("nan"),
        found.kept if found.has_items else float("nan"),
        missing,
    )


# ---- The explorer as one file ----------------------------------------------------------------------

Weights = Literal["auto", "float32", "float16", "int8"]
WEIGHTS = {
    "auto": c.ECC_WEIGHTS_AUTO,
    "float32": c.ECC_WEIGHTS_FLOAT,
    "float16": c.ECC_WEIGHTS_HALF,
    "int8": c.ECC_WEIGHTS_BYTE,
}


@dataclass(frozen=True)
class Page(Record):
    """The explorer as one HTML file, with the decoder inside."""

    path: str
    bytes: int
    items: int  # on its map


@contextlib.contextmanager
def space_of(run: Run, data: str | None, items: int, watch: Watch) -> Iterator[ctypes.c_void_p]:
    """The run and its items, encoded, as the explorer shows them."""
    space = ctypes.c_void_p()
    folder, directory, name = on_disk(run, data)
    runs = (ctypes.c_char_p * 1)(os.fsencode(directory))
    request = c.ecc_space_request(runs=ctypes.addressof(runs), run_count=1, items=items, spread=True, alone=True)
    request.data = None if name is None else os.fsencode(name)
    try:
        call(lib.ecc_space_open, byref(space), byref(request), watch.pointer)
        yield space
    finally:
        lib.ecc_space_free(space)
        if folder is not None:
            folder.cleanup()


def write_page(run: Run, path: Path_, data: str | None, items: int, weights: Weights, progress: bool | None) -> Page:
    need_pages()
    form = choose(weights, WEIGHTS, "weights")
    sizes = c.ecc_one_file_sizes()
    with Watch(progress) as watch, space_of(run, data, items, watch) as space:
        call(lib.ecc_one_file_write, space, os.fsencode(path), form, byref(sizes), watch.pointer)
        return Page(os.fspath(path), sizes.all, lib.ecc_space_items(space))


# ---- Methods side by side --------------------------------------------------------------------------


class Said(Watch):
    """What a comparison says goes to where progress goes, line by line."""

    def on_remark(self, _context: int | None, sentence: bytes) -> None:
        if self.progress.show:
            self.progress.end()
            print(sentence.decode(), file=sys.stdout if self.progress.notebook else sys.stderr, flush=True)


@dataclass(frozen=True)
class Comparison:
    """What came out of a comparison, and the page that shows it."""

    path: str  # the page; beside it lie compare.md, compare.csv, results.json and all runs
    results: dict[str, Any] = field(repr=False)  # results.json

    def __repr__(self) -> str:
        return summary("Comparison", path=repr(self.path))

    def to_frame(self, library: str | None = None) -> Any:
        """A row for each number, as in compare.csv."""
        with open(Path(self.path).with_suffix(".csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        names = list(rows[0]) if rows else []
        return frame({name: [number(row[name]) for row in rows] for name in names}, library)


def number(text: str) -> Any:
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return text


def compare(
    data: Any,
    methods: str | list[str] = "all",
    *,
    out: Path_,
    latent: int | list[int] = 8,
    minutes: float | None = None,
    epochs: float | None = None,
    seeds: int = 2,
    lambdas: int = 5,
    labels: Any = None,
    progress: bool | None = None,
    **settings: Any,
) -> Comparison:
    """Compares regularizers on the same data, net, items, seeds and epochs, in the directory `out`.

    data: an array or DATA as the commands name it.  methods: "eccentric,kl,mmd,none", a list, or "all".
    minutes: for everything that is still to be done; or epochs: of each long training.  seeds: long trainings of
    each method.  lambdas: that are tried for each on validation items.  The rest: settings of train().

    Ctrl-C stops; the same call goes on, unless data is an array.
    """
    from ._train import Options

    need_pages()
    if (minutes is None) == (epochs is None):
        raise ValueError("give either minutes= or epochs=")
    options, numbers = Options(), [latent] if isinstance(latent, int) else list(latent)
    lent = None
    if isinstance(data, (str, os.PathLike)):
        options.struct.data = options.text(data)
        if labels is not None:
            options.set("labels", labels)
    else:
        lent = Lent(data, labels)
        options.struct.data = options.text(lent.data("train"))
    options.fill(dict(settings))
    latents = (ctypes.c_size_t * len(numbers))(*numbers)
    chosen = lib.ecc_compare_defaults()
    chosen.out, chosen.train = os.fsencode(out), options.struct
    chosen.methods = (methods if isinstance(methods, str) else ",".join(methods)).encode()
    chosen.latents, chosen.latent_count = ctypes.addressof(latents), len(numbers)
    chosen.minutes, chosen.epochs, chosen.seeds, chosen.lambdas = minutes or 0, epochs or 0, seeds, lambdas
    text = ctypes.c_void_p()
    try:
        with Said(progress) as watch:
            chosen.watch = ctypes.addressof(watch.struct)
            call(lib.ecc_compare, byref(text), byref(chosen))
        found = json.loads(ctypes.string_at(text.value)) if text.value else {}
    finally:
        libc_free(text)
    del lent
    return Comparison(str(Path(out) / "compare.html"), found)
