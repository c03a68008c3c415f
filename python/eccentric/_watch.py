"""Long work: progress on the screen, and Ctrl-C."""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
import time
import warnings
from types import FrameType, TracebackType
from typing import Any

from . import _declarations as c
from ._errors import plain
from ._library import kind_of

SECONDS = 0.2  # between two lines of progress


class Stop:
    """While it is entered in the main thread, Ctrl-C sets `asked` instead of raising in the middle of a call.
    A second Ctrl-C is raised as always."""

    def __init__(self) -> None:
        self.asked = False
        self.before: Any = None

    def __enter__(self) -> Stop:
        handled = threading.current_thread() is threading.main_thread()
        if handled and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self.before = signal.signal(signal.SIGINT, self.ask)
        return self

    def ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)


def in_notebook() -> bool:
    return "ipykernel" in sys.modules and sys.modules["IPython"].get_ipython() is not None


class Progress:
    """One line that is written over, on stderr or below the cell of a notebook, and gone at the end; nothing
    unless it is a terminal or a notebook."""

    def __init__(self, show: bool | None) -> None:
        self.notebook = in_notebook()
        self.show = show if show is not None else (self.notebook or sys.stderr.isatty())
        self.began = self.last = time.monotonic()
        self.width = 0
        self.below: Any = None  # what the notebook shows

    def due(self) -> bool:
        now = time.monotonic()
        if not self.show or now - self.last < SECONDS:
            return False
        self.last = now
        return True

    def write(self, words: str) -> None:
        if self.notebook:
            return self.write_below({"text/plain": words})
        print("\r" + words.ljust(self.width), end="", file=sys.stderr, flush=True)
        self.width = len(words)
        return None

    def write_below(self, words: dict[str, str]) -> None:
        """On stderr it would be a red box that stays."""
        if self.below is None:
            self.below = sys.modules["IPython"].display.display(words, raw=True, display_id=True)
        else:
            self.below.update(words, raw=True)

    def end(self) -> None:
        if self.below is not None:
            self.write_below({"text/plain": "", "text/html": ""})
        if self.width:
            print("\r" + " " * self.width + "\r", end="", file=sys.stderr, flush=True)
            self.width = 0


class Watch:
    """A `struct ecc_watch`: `with Watch() as watch: call(..., watch.pointer)`.

    Remarks become warnings.  Ctrl-C ends the call with KeyboardInterrupt, also if the call has ended meanwhile;
    keeps: without, for calls that give what they have then.
    """

    def __init__(self, progress: bool | None = None, keeps: bool = False) -> None:
        self.progress, self.keeps = Progress(progress), keeps
        self.stop = Stop()
        self.remarks: list[str] = []
        work, remark = (kind_of(c.ecc_watch, name) for name in ("on_work", "on_remark"))
        self.struct = c.ecc_watch(work(self.on_work), remark(self.on_remark), None)
        self.pointer = ctypes.byref(self.struct)

    def on_work(self, _context: int | None, at: int) -> bool:
        if self.progress.due():
            work = c.ecc_work.from_address(at)
            total = f" of {work.total:,}" if work.total else ""
            self.progress.write(f"{work.name.decode()}: {work.done:,}{total} {work.unit.decode()}")
        return not self.stop.asked

    def on_remark(self, _context: int | None, sentence: bytes) -> None:
        self.remarks.append(plain(sentence))

    def __enter__(self) -> Watch:
        self.stop.__enter__()
        return self

    def __exit__(self, *reason: Any) -> None:
        self.stop.__exit__(*reason)
        self.progress.end()
        for remark in self.remarks:
            warnings.warn(remark, stacklevel=3)
        if self.stop.asked and reason[0] is None and not self.keeps:
            raise KeyboardInterrupt
