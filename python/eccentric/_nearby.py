"""Neighbours of latents, and decision trees on them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import byref
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _declarations as c
from ._arrays import Float64, address, classes, floats
from ._library import call, lib
from ._results import frame


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The nearest items of each query, nearest first."""

    index: NDArray[np.int64]  # [m, k]
    distance: Float64  # [m, k]

    def to_frame(self, library: str | None = None) -> Any:
        """A row for each query and each of its neighbours."""
        m, k = self.index.shape
        query, rank = np.divmod(np.arange(m * k), max(k, 1))
        columns = {"query": query, "rank": rank + 1, "index": self.index.ravel()}
        return frame({**columns, "distance": self.distance.ravel()}, library)


def neighbours(items: Any, queries: Any = None, k: int = 5) -> Neighbours:
    """For each of queries: [m, d], the k nearest of items: [n, d].

    Without queries, the neighbours of the items among each other, each without itself.
    """
    items = floats(items, "items")
    others = items if queries is None else floats(queries, "queries", columns=items.shape[1])
    wanted = k + 1 if queries is None else k
    squared = np.empty((len(others), wanted))
    index = np.empty((len(others), wanted), np.uintp)
    call(
        lib.ecc_neighbours,
        address(squared),
        address(index),
        address(others),
        len(others),
        address(items),
        *items.shape,
        wanted,
    )
    found = index.astype(np.int64)
    if queries is None:
        found, squared = without_itself(found, squared)
    return Neighbours(found, np.sqrt(squared))


def without_itself(index: NDArray[np.int64], squared: Float64) -> tuple[NDArray[np.int64], Float64]:
    """Each row without its own number, or, if copies of it came first, without the last."""
    own = index == np.arange(len(index))[:, None]
    own[~own.any(1), -1] = True
    shape = (len(index), index.shape[1] - 1)
    return index[~own].reshape(shape), squared[~own].reshape(shape)


@dataclass(frozen=True, eq=False)
class Tree:
    """A decision tree by information gain."""

    left: NDArray[np.int64]  # [nodes]; 0 in a leaf
    right: NDArray[np.int64]
    feature: NDArray[np.int64]  # x[feature] <= threshold goes left
    threshold: Float64
    gain: Float64  # of the split, in bits
    label: NDArray[np.int64]  # the most frequent class, as a place among `classes`
    count: NDArray[np.int64]  # training items
    classes: NDArray[Any]
    depth: int  # reached
    features: int
    _nodes: bytes = field(repr=False)

    @classmethod
    def fit(cls, x: Any, labels: Any, depth: int = 0) -> Tree:
        """Of x: [n, d] and labels: [n], of any kind; depth: the most, 0: until all leaves are pure."""
        x = floats(x, "x")
        numbers, names = classes(labels, len(x))
        t = c.ecc_tree()
        call(
            lib.ecc_tree_fit,
            byref(t),
            address(x),
            address(numbers),
            *x.shape,
            len(names),
            depth,
        )
        size = t.node_count * ctypes.sizeof(c.ecc_tree_node)
        nodes = ctypes.string_at(t.nodes, size)
        table = np.frombuffer(nodes, np.dtype(c.ecc_tree_node))
        whole = ("left", "right", "feature", "label", "count")
        found = cls(
            **{name: table[name].astype(np.int64) for name in whole},
            threshold=table["threshold"].copy(),
            gain=table["gain"].copy(),
            classes=names,
            depth=t.depth,
            features=t.d,
            _nodes=nodes,
        )
        lib.ecc_tree_release(byref(t))
        return found

    def predict(self, x: Any) -> NDArray[Any]:
        """Classes, [n], of x: [n, d]."""
        x = floats(x, "x", columns=self.features)
        predicted = np.empty(len(x), np.int32)
        nodes = ctypes.create_string_buffer(self._nodes, len(self._nodes))
        t = c.ecc_tree(ctypes.addressof(nodes), len(self.left), self.depth, self.features)
        lib.ecc_tree_predict(byref(t), address(predicted), address(x), len(x))
        return self.classes[predicted]

    def to_frame(self, library: str | None = None) -> Any:
        """A row for each node."""
        names = ("left", "right", "feature", "threshold", "gain", "count")
        columns = {name: getattr(self, name) for name in names}
        return frame({**columns, "label": self.classes[self.label]}, library)


def trees(x: Any, labels: Any, depths: Sequence[int] = (1, 8)) -> list[Tree]:
    """A decision tree of each depth, of x: [n, d] (components, say) and labels: [n]."""
    return [Tree.fit(x, labels, depth) for depth in depths]
