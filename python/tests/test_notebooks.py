"""The notebooks run from the first cell to the last."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("sklearn")
ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "examples" / "python").glob("*.ipynb"))
pytestmark = pytest.mark.skipif(not (ROOT / "python" / "tools").exists(), reason="the sources are not here")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path):
    sys.path.insert(0, str(ROOT / "python" / "tools"))
    try:
        import notebook
    finally:
        sys.path.pop(0)
    names = notebook.run(path)
    assert names["run"].latent in (2, 8)
