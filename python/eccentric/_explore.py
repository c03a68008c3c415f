"""The explorer, `eccentric explore`, beside Python."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._data import Lent
from ._frames import Written
from ._library import PACKAGE

if TYPE_CHECKING:
    from ._run import Run


def program() -> str:
    """The program `eccentric`: named by ECCENTRIC_PROGRAM, in the wheel, in the build directory of a source
    tree, or in the path."""
    named = os.environ.get("ECCENTRIC_PROGRAM")
    if named:
        return named
    for path in (PACKAGE / "bin" / "eccentric", PACKAGE.parents[1] / "build" / "eccentric"):
        if os.access(path, os.X_OK):
            return str(path)
    found = shutil.which("eccentric")
    if found and not same_script(found):
        return found
    raise FileNotFoundError(
        "the program `eccentric` was not found: install the wheel, or build it (make) and set "
        "ECCENTRIC_PROGRAM to its path"
    )


def same_script(path: str) -> bool:
    """Whether that is the command of this package, which only looks for the program."""
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def main() -> None:
    """The command `eccentric` that pip installs."""
    path = program()
    os.execv(path, ["eccentric", *sys.argv[1:]])


class Explorer:
    """A page that shows a run, served until `stop()`, or until this object is gone."""

    def __init__(self, process: subprocess.Popen[str], url: str, folder: Any) -> None:
        self.process, self.url, self.folder = process, url, folder

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            if stream:
                stream.close()
        if self.folder is not None:
            self.folder.cleanup()
            self.folder = None

    def __enter__(self) -> Explorer:
        return self

    def __exit__(self, *reason: Any) -> None:
        self.stop()

    def __del__(self) -> None:
        if getattr(self, "process", None) is not None:
            self.stop()

    def __repr__(self) -> str:
        return f"Explorer({self.url})"

    def _repr_html_(self) -> str:
        return f'<iframe src="{self.url}" width="100%" height="800" style="border: 0"></iframe>'


def on_disk(run: Run, data: str | None) -> tuple[Any, str, str | None]:
    """A folder to keep, or None; the run's directory; and its items, as DATA, where they are not where it says."""
    folder: Any = None
    path = run.path
    lent = data is None and isinstance(run._lent, Lent)
    if path is None or lent:
        folder = tempfile.TemporaryDirectory(prefix="eccentric-")
        path = str(Path(folder.name) / "run")
        run.save(path)
    if lent:
        items = Path(folder.name) / "items.npz"
        data = write_items(run, items)
        rename_source(Path(path) / "config.json", items)
    elif data is None and isinstance(run._lent, Written):
        data = run._lent.data("all")
    return folder, path, data


def explore(run: Run, data: str | None, port: int, open_browser: bool | None) -> Explorer:
    folder, path, data = on_disk(run, data)
    words = [program(), "explore", path, "--port", str(port), "--embed", "--json", "--quiet"]
    if data is not None:
        words += ["--data", data]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    explorer = Explorer(process, "", folder)
    explorer.url = read_address(process)
    if open_browser or (open_browser is None and "ipykernel" not in sys.modules):
        webbrowser.open(explorer.url)
    return explorer


def read_address(process: subprocess.Popen[str]) -> str:
    """The JSON that the program prints when it serves."""
    assert process.stdout is not None and process.stderr is not None
    text = ""
    for line in process.stdout:
        text += line
        try:
            return json.loads(text)["url"]
        except ValueError:
            continue
    process.wait()
    raise OSError(process.stderr.read().strip() or "the explorer ended at once")


def rename_source(config: Path, items: Path) -> None:
    """So that the program finds the array and knows which of its items were trained on."""
    words = json.loads(config.read_text())
    words["data"]["source"] = str(items)
    config.write_text(json.dumps(words))


def write_items(run: Run, path: Path) -> str:
    """The array that the run was trained on, as a file."""
    lent = run._lent
    assert isinstance(lent, Lent)
    arrays: dict[str, Any] = {"x": lent.x}
    if lent.labels is not None and lent.classes is not None:
        arrays["labels"] = np.asarray([str(name) for name in lent.classes[lent.labels]])
    np.savez(path, **arrays)
    return f"{path}:all"
