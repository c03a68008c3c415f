"""Runs the cells of a notebook, and with --write stores what they give.

    python tools/notebook.py ../examples/python/table.ipynb --write

A plain executor: what a cell prints, and the value of its last expression as text, picture or HTML.  Enough to
keep notebooks from rotting, and nothing to install.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import sys
import warnings
from pathlib import Path
from typing import Any

KINDS = {
    "_repr_svg_": "image/svg+xml",
    "_repr_png_": "image/png",
    "_repr_html_": "text/html",
}


def shown(value: Any) -> dict[str, Any]:
    """An output: the forms of a value that a notebook stores."""
    data: dict[str, Any] = {"text/plain": repr(value).splitlines(keepends=True)}
    metadata: dict[str, Any] = {}
    for method, kind in KINDS.items():
        found = getattr(value, method, lambda: None)()
        if isinstance(found, tuple):
            found, metadata[kind] = found
        if isinstance(found, bytes):
            data[kind] = base64.b64encode(found).decode()
        elif found:
            data[kind] = found.splitlines(keepends=True)
    return {"data": data, "metadata": metadata, "output_type": "display_data"}


def run_cell(source: str, namespace: dict[str, Any]) -> list[dict[str, Any]]:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(tree, "<cell>", "exec"), namespace)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        lines = printed.getvalue().splitlines(keepends=True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines})
    if value is not None and not source.rstrip().endswith(";"):
        outputs.append(shown(value))
    return outputs


def run(path: Path, write: bool = False) -> dict[str, Any]:
    """Executes the code cells in order; the names that they defined."""
    notebook = json.loads(path.read_text())
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = run_cell("".join(cell["source"]), namespace)
    if write:
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
    return namespace


if __name__ == "__main__":
    for name in sys.argv[1:]:
        if name != "--write":
            run(Path(name), "--write" in sys.argv)
