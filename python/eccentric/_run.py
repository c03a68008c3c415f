"""A trained model in use: items to latents and back, and what can be measured of it."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Sequence
from contextlib import contextmanager
from ctypes import byref
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _declarations as c
from ._arrays import Float32, Float64, address, as_array, copied, doubles, floats, sizes, texts
from ._data import Lent, pixels
from ._frames import Column, Written, columns_of, is_frame, plain_rows, schema_cells, schema_rows
from ._latent import Components, Distribution, Mixture, sample
from ._library import call, lib, libc_free
from ._results import Owned, Record, Result, Shown, drawn, frame, shown, summary
from ._watch import Watch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._explore import Explorer
    from ._pages import Page, Report, Weights
    from ._train import Training

STRIPS = 8  # components in a run's picture


@dataclass(frozen=True, eq=False)
class Measures:
    """Of items: latents, coordinates along the components, and how unusual they are."""

    z: Float32  # [n, d]
    p: Float32  # [n, d]
    error: Float64  # [n] mean squared error of the reconstruction
    t2: Float64  # [n] squared Mahalanobis distance within the model
    q: Float64  # [n] squared distance from what the model can express

    def to_frame(self, library: str | None = None) -> Any:
        """A row for each item."""
        along = {f"p{k + 1}": self.p[:, k] for k in range(self.p.shape[1])}
        return frame({**along, "error": self.error, "T2": self.t2, "Q": self.q}, library)


@dataclass(frozen=True)
class Limits:
    """What 95% and 99% of items like the training items stay below."""

    t2: tuple[float, float]
    q: tuple[float, float]
    t2_above: tuple[float, float]  # the share of the training items that are above
    items: int

    def to_frame(self, library: str | None = None) -> Any:
        """A row for T2 and one for Q."""
        two = {"95%": [self.t2[0], self.q[0]], "99%": [self.t2[1], self.q[1]]}
        return frame({"of": ["T2", "Q"], **two}, library)

    def excess(self, t2: float, q: float) -> float:
        """How unusual an item is: the larger of T2 and Q over its 99% limit; above 1 it is unusual."""
        struct = c.ecc_limits(self.t2, self.q, self.t2_above, self.items)
        return lib.ecc_limits_excess(byref(struct), t2, q)


@dataclass(frozen=True, eq=False)
class Meaning(Result):
    """What each component of a table does to its columns, in their own units."""

    columns: list[str]  # "alcohol", "colour=red"
    change: Float64  # [components, columns] for one deviation more of the component
    standard: Float64  # [components, columns] the same in deviations of the columns
    words: list[str]  # [components] "alcohol +0.62, proline +251, hue -0.08"
    _owned: Owned = field(repr=False)

    def to_frame(self, library: str | None = None) -> Any:
        """A row for each column, the change by each component."""
        by = {f"p{k + 1}": row for k, row in enumerate(self.change)}
        return frame({"column": self.columns, **by}, library)

    def __repr__(self) -> str:
        return "\n".join(f"p{k + 1} {words}" for k, words in enumerate(self.words))

    def _draw(self, ending: str) -> bytes | None:
        if self._owned.struct is None:
            return None
        return drawn("ecc_draw_meaning", byref(self._owned.struct), ending=ending)


@dataclass(frozen=True, eq=False)
class Classification(Record, Result):
    """How well the latents separate the classes.  Errors are shares of wrong answers, from 0 to 1."""

    error: float  # of the latents
    pca_error: float  # of as many ordinary principal components; NaN: not asked for
    raw_error: float  # of pixels or columns; NaN: not asked for
    majority_error: float  # of always the most frequent class
    balanced_error: float
    f1: float
    neighbours: int
    items: int
    test_items: int
    names: list[str]
    confusion: NDArray[np.int64] | None  # [classes, classes]: truth by prediction
    _owned: Owned = field(repr=False)

    def __repr__(self) -> str:
        wanted = (
            "error",
            "pca_error",
            "raw_error",
            "majority_error",
            "balanced_error",
            "f1",
            "neighbours",
            "test_items",
        )
        return summary("Classification", **{name: getattr(self, name) for name in wanted})

    def _draw(self, ending: str) -> bytes | None:
        if self._owned.struct is None:
            return None
        return drawn("ecc_draw_classification", byref(self._owned.struct), ending=ending)


class Run:
    """A trained model: `train()` and `open_run()` make them.

    Tables are [n, columns] in their own units, NaN where a cell is missing.  Images are [n, height, width] or
    [n, channels, height, width] from 0 to 1, or bytes from 0 to 255.  A run can be pickled; it is a block of
    bytes then.  Threads take turns.
    """

    latent: int  # d, numbers of a latent
    shape: tuple[int, ...]  # of an item: (columns,), (height, width) or (channels, height, width)
    is_table: bool
    columns: list[str]  # of a table, where they have names
    mean: Float64 | None  # [columns] of a table
    deviation: Float64 | None
    finished: bool  # False: weights from a checkpoint of a training that has not ended
    path: str | None  # the run directory
    training: Training | None  # what train() found

    def __init__(self, handle: int, path: str | None = None, lent: Lent | Written | None = None) -> None:
        self._whole = 0  # > 0: items go to the model in batches of exactly this many
        self._handle: int | None = handle
        self._lock = threading.RLock()
        self._lent = lent
        self._known: Components | None = None
        self._plan = (0, 0)  # batch and threads; 0: the library's choice
        self.path = path
        self.training = None
        info = lib.ecc_model_describe(handle)
        self.latent = info.latent
        self._size = info.size
        self._image = (info.channels, info.height, info.width)
        self.is_table = info.columns > 0
        self.columns = texts(info.column_names, info.columns)
        self.mean = doubles(info.mean, info.columns) if self.is_table else None
        self.deviation = doubles(info.deviation, info.columns) if self.is_table else None
        self._columns = columns_of(handle)  # of a text table
        self._clip = clips(self._columns, info.clip)
        self.finished = info.finished
        self.data = info.data.decode() if info.data else None
        self.shape = self._image if info.channels > 1 else self._image[1:]
        if self.is_table:
            self.shape = (info.columns,)

    # ---- Opening and closing

    @classmethod
    def from_bytes(cls, data: bytes, *, threads: int = 0, batch: int = 0) -> Run:
        """What `to_bytes` gave."""
        handle = ctypes.c_void_p()
        options = c.ecc_model_options(batch=batch, threads=threads)
        call(lib.ecc_model_open_bytes, byref(handle), data_address(data), len(data), byref(options))
        return cls(handle.value or 0)

    def steady(self, *, batch: int = 64, threads: int = 1) -> Run:
        """The same model, planned such that an item gives the same bits whatever stands beside it."""
        handle = ctypes.c_void_p()
        options = c.ecc_model_options(batch=batch, threads=threads)
        with self._model() as model:
            call(lib.ecc_model_copy, byref(handle), model, byref(options))
        found = Run(handle.value or 0, self.path, self._lent)
        found._known, found.training, found._whole = self._known, self.training, batch
        found._plan = (batch, threads)
        return found

    def to_bytes(self) -> bytes:
        """The model as one block: a safetensors file with weights, settings and components."""
        at, size = ctypes.c_void_p(), ctypes.c_size_t()
        with self._model() as model:
            call(lib.ecc_model_save_bytes, model, byref(at), byref(size))
        try:
            return ctypes.string_at(at.value or 0, size.value)
        finally:
            libc_free(at)

    def save(self, path: str | os.PathLike[str]) -> None:
        """As a run directory, which must not hold a run yet."""
        with self._model() as model:
            call(lib.ecc_model_save, model, os.fsencode(path))

    def close(self) -> None:
        """Frees the model's memory; the run is of no use then."""
        with self._lock:
            handle, self._handle = self._handle, None
            if handle:
                lib.ecc_model_close(handle)

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()

    @contextmanager
    def _model(self) -> Iterator[int]:
        """The C handle, for one thread at a time."""
        with self._lock:
            if not self._handle:
                raise ValueError("the run is closed")
            yield self._handle

    def __getstate__(self) -> dict[str, Any]:
        return {
            "bytes": self.to_bytes(),
            "known": self._known,
            "path": self.path,
            "training": self.training,
            "plan": self._plan,
            "whole": self._whole,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        batch, threads = state["plan"]
        fresh = type(self).from_bytes(state["bytes"], batch=batch, threads=threads)
        self.__dict__.update(fresh.__dict__)
        fresh._handle = None
        self._plan, self._whole = state["plan"], state["whole"]
        self._known, self.path, self.training = state["known"], state["path"], state["training"]

    def __repr__(self) -> str:
        words = {"latent": self.latent, "shape": self.shape}
        if self.path:
            words["path"] = repr(self.path)
        if not self.finished:
            words["finished"] = False
        return summary("Run", **words)

    # ---- Items and latents

    def _items(self, x: Any) -> Float32:
        """Items as the model takes them: [n, size]."""
        if isinstance(x, (str, os.PathLike)):
            raise ValueError(f"x is {os.fspath(x)!r}, expected an array; run.latents({os.fspath(x)!r}) reads files")
        if self.is_table:
            return self._rows(x)
        images = pixels(x)
        if images.shape[1:] != self._image:
            raise ValueError(f"x has images of shape {images.shape[1:]}, expected {self._image}")
        return images.reshape(len(images), self._size)

    def _rows(self, x: Any) -> Float32:
        assert self.mean is not None and self.deviation is not None
        if is_frame(x) and self.columns:
            table = schema_rows(x, self._columns) if self._columns else plain_rows(x, self.columns)
        else:
            table = self._numbers(x)
        if np.isinf(table).any():
            raise ValueError("x has an infinite number, expected numbers, or NaN where one is missing")
        scaled = (table - self.mean) / self.deviation
        if self._clip is not None:
            np.clip(scaled, -self._clip, self._clip, out=scaled)
        return np.ascontiguousarray(scaled, np.float32)

    def _numbers(self, x: Any) -> Float64:
        assert self.mean is not None
        array, width = as_array(x), len(self.mean)
        if array.ndim != 2 or array.shape[1] != width:
            raise ValueError(f"x has shape {array.shape}, expected [n, {width}]{self._wanted()}")
        try:
            return np.asarray(array, float)
        except (TypeError, ValueError):
            raise ValueError(f"x has the type {array.dtype}, expected numbers{self._wanted()}") from None

    def _wanted(self) -> str:
        return f": a number for each of {', '.join(self.columns)}, or a data frame" if self._columns else ""

    def _natural(self, x: Float32) -> NDArray[Any]:
        """What the model gives, [n, size], as items in their own units and shape."""
        if self.is_table:
            assert self.mean is not None and self.deviation is not None
            return x * self.deviation + self.mean
        return x.reshape(len(x), *self.shape)

    def _filled(self, x: Float32) -> Float32:
        """Rows of zeros fill the last batch: an item then gives the same bits wherever it stands."""
        rest = -len(x) % self._whole if self._whole else 0
        return np.concatenate([x, np.zeros((rest, x.shape[1]), np.float32)]) if rest else x

    def encode(self, x: Any) -> Float32:
        """Latents, [n, d], of items."""
        items = self._items(x)
        n, items = len(items), self._filled(items)
        z = np.empty((len(items), self.latent), np.float32)
        with self._model() as model:
            call(lib.ecc_model_encode, model, address(z), address(items), len(items))
        return z[:n]

    def decode(self, z: Any) -> NDArray[Any]:
        """Items, [n, ...], of latents z: [n, d]."""
        z = floats(z, columns=self.latent)
        n, z = len(z), self._filled(z)
        x = np.empty((len(z), self._size), np.float32)
        with self._model() as model:
            call(lib.ecc_model_decode, model, address(x), address(z), len(z))
        return self._natural(x[:n])

    def to_frame(self, x: Any, library: str | None = None) -> Any:
        """Rows [n, columns] as `decode` and `sample` give them as a data frame, with words and dates as the table
        had them."""
        if not self.is_table:
            raise ValueError("the model is of images, expected one of a table")
        rows = self._numbers(x)
        if self._columns:
            return frame(schema_cells(rows, self._columns), library)
        names = self.columns or [f"x{k}" for k in range(rows.shape[1])]
        return frame(dict(zip(names, rows.T, strict=True)), library)

    def reconstruct(self, x: Any) -> NDArray[Any]:
        """Items through the encoder and the decoder."""
        return self.decode(self.encode(x))

    def _data(self, data: Any) -> tuple[bytes | None, Any]:
        """The name of data for the library, None for the run's own; and what to keep as long as it is read."""
        if data is None and self._lent is None and (self.data or "").startswith("memory:"):
            raise ValueError("the items that the model was trained on are not in memory any more: give data=")
        if data is None or isinstance(data, (str, os.PathLike)):
            return (None if data is None else os.fsencode(data)), None
        lent = Lent(data)
        return lent.data("all").encode(), lent

    def latents(
        self, data: Any = None, *, items: int = 0, progress: bool | None = None
    ) -> tuple[Float32, NDArray[np.int32] | None]:
        """Latents, [n, d], and labels, [n] or None, of DATA as the commands name it: "mnist:test", a path; or of
        an array.  None: the training part of the run's own data.  items: only the first N."""
        z, labels, n = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
        name, kept = self._data(data)
        with self._model() as model, Watch(progress) as watch:
            call(
                lib.ecc_model_latents,
                model,
                byref(z),
                byref(labels),
                byref(n),
                name,
                items,
                watch.pointer,
            )
        del kept
        try:
            found = copied(labels.value, ctypes.c_int32, n.value) if labels.value else None
            return copied(z.value, ctypes.c_float, (n.value, self.latent)), found
        finally:
            libc_free(z)
            libc_free(labels)

    # ---- Components and samples

    def components(self, *, explained: bool = False, data: str | None = None) -> Components:
        """Of the latents of the training items.  explained: also measure of_data, the share of the data's
        variance that each adds, which takes a pass through some of them."""
        known = self._known
        if known is not None and not (explained and np.isnan(known.of_mean)):
            return known
        struct = c.ecc_components()
        function = lib.ecc_model_explained if explained else lib.ecc_model_components
        name = data.encode() if data else None
        with self._model() as model, Watch(False) as watch:
            call(function, model, byref(struct), name, watch.pointer)
        self._known = Components.taken(struct)
        return self._known

    def mixture(self, k: int = 0, *, seed: int = 1, progress: bool | None = None) -> Mixture:
        """A Gaussian mixture of the training items' latents; k 0: chosen by BIC."""
        options = lib.ecc_mixture_defaults()
        options.k, options.seed = k, seed
        struct = c.ecc_mixture()
        with self._model() as model, Watch(progress) as watch:
            call(lib.ecc_model_mixture, model, byref(struct), None, byref(options), watch.pointer)
        return Mixture.taken(struct)

    def sample(
        self,
        n: int = 1,
        *,
        distribution: Distribution = "gaussian",
        along: Sequence[int] | None = None,
        truncation: float = 0.0,
        seed: int = 1,
        first: int = 0,
    ) -> NDArray[Any]:
        """New items, [n, ...], decoded from latents drawn as `eccentric.sample` draws them."""
        source: Components | Mixture = self.components()
        if distribution == "mixture":
            source = self.mixture(seed=seed)
        z = sample(
            source,
            n,
            distribution=distribution,
            along=along,
            truncation=truncation,
            seed=seed,
            first=first,
        )
        return self.decode(z)

    # ---- Measuring

    def measure(self, x: Any) -> Measures:
        """How unusual items are."""
        items = self._items(x)
        n, d = len(items), self.latent
        self.components()
        z, p = np.empty((n, d), np.float32), np.empty((n, d), np.float32)
        error, t2, q = np.empty(n), np.empty(n), np.empty(n)
        arrays = (z, p, error, t2, q)
        wanted = c.ecc_measures(*(address(array) for array in arrays))
        with self._model() as model:
            call(lib.ecc_model_measure, model, byref(wanted), address(items), n)
        return Measures(*arrays)

    def limits(self, *, data: Any = None, progress: bool | None = None) -> Limits:
        """Of T2 and Q, from the training items.  data: an array of other items, or DATA as the commands name it."""
        found = c.ecc_limits()
        name, kept = self._data(data)
        with self._model() as model, Watch(progress) as watch:
            call(lib.ecc_model_limits, model, byref(found), name, watch.pointer)
        del kept
        pairs = (tuple(found.t2), tuple(found.q), tuple(found.t2_above))
        return Limits(*pairs, found.items)

    def meaning(self) -> Meaning:
        """Of a table: the columns that each component changes."""
        struct, kept = self.components().struct()
        owned = Owned(c.ecc_meaning(), "ecc_meaning_release")
        found = owned.struct
        with self._model() as model:
            call(lib.ecc_model_meaning, byref(found), model, byref(struct), None)
        del kept
        count, width = found.count, found.column_count
        listed = (c.ecc_meaning_column * width).from_address(found.columns)
        text = ctypes.create_string_buffer(500)
        words = [
            lib.ecc_meaning_words(ctypes.cast(text, ctypes.c_char_p), 500, byref(found), k, 5) for k in range(count)
        ]
        return Meaning(
            columns=[column.name.decode() for column in listed],
            change=doubles(found.change, (count, width)),
            standard=doubles(found.standard, (count, width)),
            words=[line.decode() for line in words],
            _owned=owned,
        )

    def classify(
        self,
        *,
        train: str | None = None,
        test: str | None = None,
        neighbours: int = 0,
        items: int = 0,
        baselines: bool = True,
        seed: int = 1,
        progress: bool | None = None,
    ) -> Classification:
        """A vote of the nearest labelled items.  train, test: DATA with labels; None: those of the run."""
        options = lib.ecc_classify_defaults()
        options.train = train.encode() if train else None
        options.test = test.encode() if test else None
        options.neighbours, options.items = neighbours, items
        options.baselines, options.seed = baselines, seed
        owned = Owned(c.ecc_classification(), "ecc_classification_release")
        with self._model() as model, Watch(progress) as watch:
            call(lib.ecc_classify, byref(owned.struct), model, byref(options), watch.pointer)
        return classification_of(owned)

    # ---- Pictures and pages

    def explore(self, *, data: str | None = None, port: int = 0, open_browser: bool | None = None) -> Explorer:
        """Starts the explorer: components as sliders, a map of the items.  A notebook shows it; elsewhere a
        browser opens.  `stop()` of what is returned ends it."""
        from ._explore import explore

        return explore(self, data, port, open_browser)

    def report(
        self,
        path: str | os.PathLike[str] = "report.html",
        *,
        data: Any = None,
        test: str | os.PathLike[str] | None = None,
        items: int = 0,
        baselines: bool = True,
        seed: int = 1,
        progress: bool | None = None,
    ) -> Report:
        """Writes everything about the run as one HTML file: curves, components, samples, a map, classification.

        data: where the run's data is now; None: where it was.  test: DATA to measure and show; None: what the
        run was not trained on.  items: only the first N of each part.  baselines: classify by the raw data and
        PCA, too."""
        from ._pages import write_report

        return write_report(self, path, data, test, items, baselines, seed, progress)

    def page(
        self,
        path: str | os.PathLike[str] = "explorer.html",
        *,
        data: str | None = None,
        items: int = 2000,
        weights: Weights = "auto",
        progress: bool | None = None,
    ) -> Page:
        """Writes the explorer as one HTML file that works without Python, a server or a network: to mail.

        items: at most, of each class its share; 0: all.  weights: float32, float16, int8 (the smallest file);
        auto: float16, or int8 where float16 is large and pictures stay nearly the same."""
        from ._pages import write_page

        return write_page(self, path, data, items, weights, progress)

    def _repr_png_(self) -> Shown | None:
        """Of images, what the first components change; of tables, which columns."""
        return shown(self._draw())

    def _draw(self) -> bytes | None:
        if self.is_table:
            return self.meaning()._draw("png")
        if self._image[0] not in (1, 3):
            return None
        struct, kept = self.components().struct()
        numbers = np.arange(min(STRIPS, self.latent), dtype=np.uintp)
        with self._model() as model:
            picture = drawn(
                "ecc_draw_strips",
                model,
                byref(struct),
                address(numbers),
                len(numbers),
                7,
                2.0,
                ending="png",
            )
        del kept
        return picture


def clips(columns: list[Column], whole: float) -> Float64 | float | None:
    """Where scaled numbers end, for each feature; None: nowhere."""
    if not columns:
        return whole if whole > 0 else None
    ends = [column.clip if column.clip > 0 else np.inf for column in columns for _ in range(column.features)]
    return np.array(ends) if np.isfinite(ends).any() else None


def data_address(data: bytes) -> int:
    return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0


def classification_of(owned: Owned) -> Classification:
    r = owned.struct
    if r.row_count == 0:
        raise ValueError("the data has no classes, only numbers: `eccentric classify` predicts those")
    size = ctypes.sizeof(c.ecc_classify_row)
    last = c.ecc_classify_row.from_address(r.rows + (r.row_count - 1) * size)
    count = r.name_count
    return Classification(
        error=last.error[c.ECC_VIEW_LATENTS],
        pca_error=last.error[c.ECC_VIEW_PCA],
        raw_error=last.error[c.ECC_VIEW_PIXELS],
        majority_error=last.majority,
        balanced_error=last.balanced[c.ECC_VIEW_LATENTS],
        f1=last.f1[c.ECC_VIEW_LATENTS],
        neighbours=last.parameter,
        items=r.items,
        test_items=r.test_items,
        names=texts(r.names, count),
        confusion=sizes(r.confusion, (count, count)) if r.confusion else None,
        _owned=owned,
    )


def open_run(path: str | os.PathLike[str], *, threads: int = 0, batch: int = 0) -> Run:
    """Opens a run directory that `eccentric train` or `train(..., out=...)` made."""
    if not os.path.exists(path):
        raise FileNotFoundError(f"{os.fspath(path)!r} does not exist, expected a run directory")
    handle = ctypes.c_void_p()
    options = c.ecc_model_options(batch=batch, threads=threads)
    call(lib.ecc_model_open, byref(handle), os.fsencode(path), byref(options))
    return Run(handle.value or 0, os.fspath(path))
