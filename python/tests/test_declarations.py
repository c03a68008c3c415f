"""The declarations agree with the headers: names, sizes, offsets."""

import ctypes
import importlib.util
import shutil
import subprocess
from pathlib import Path

import pytest

from eccentric import _declarations as c
from eccentric import _library

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not (ROOT / "include").exists(), reason="the headers are not here")


def tool(name):
    path = ROOT / "python" / "tools" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules[name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


def test_generated_from_these_headers():
    declare = tool("declare")
    written = (ROOT / "python" / "eccentric" / "_declarations.py").read_text()
    assert declare.module(declare.parse()) == written, "run: python tools/declare.py > eccentric/_declarations.py"


def test_settings_are_those_of_the_library():
    written = (ROOT / "python" / "eccentric" / "_settings.py").read_text()
    assert tool("settings").module() == written, "run: python tools/settings.py > eccentric/_settings.py"


@pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler")
def test_sizes_and_offsets(tmp_path):
    declare = tool("declare")
    source = tmp_path / "layout.c"
    source.write_text(declare.layout(declare.parse()))
    program = tmp_path / "layout"
    subprocess.run(["cc", "-std=c11", "-I", ROOT / "include", source, "-o", program], check=True)
    lines = subprocess.check_output([program], text=True).splitlines()
    assert len(lines) > 500
    for line in lines:
        name, *numbers = line.split()
        assert measured(name) == [int(number) for number in numbers], name


def measured(name):
    if name.startswith("ECC_"):
        return [getattr(c, name)]
    struct, _, member = name.partition(".")
    kind = getattr(c, struct)
    if not member:
        return [ctypes.sizeof(kind)]
    field = getattr(kind, member)
    return [field.size, field.offset]


def test_every_function_is_there():
    for name in c.FUNCTIONS:
        assert hasattr(_library.lib, name) or not _library.has_pictures, name


def test_another_version_is_refused(monkeypatch):
    monkeypatch.setattr(c, "VERSION", "9.9.0")
    with pytest.raises(ImportError, match=r"this package needs 9\.9\.0"):
        _library.load()


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setenv("ECCENTRIC_LIBRARY", "/nowhere/libeccentric_show.so")
    with pytest.raises(ImportError, match="/nowhere/libeccentric_show"):
        _library.load()
