"""Writes eccentric/_settings.py, the keywords of train() with their types, from the library's table.

python tools/settings.py > eccentric/_settings.py
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from eccentric import _declarations as c
from eccentric._train import SETTINGS, Setting

TYPES = {
    c.ECC_SETTING_TEXT: "str | PathLike[str] | None",
    c.ECC_SETTING_COUNT: "int",
    c.ECC_SETTING_U64: "int",
    c.ECC_SETTING_NUMBER: "float",
    c.ECC_SETTING_FLAG: "bool",
}
# parameters of train() itself
OWN = ("labels", "columns")


def type_of(setting: Setting) -> str:
    if setting.choices:
        return "Literal[" + ", ".join(f'"{name}"' for name in setting.choices) + "]"
    return TYPES[setting.kind]


def module() -> str:
    lines = [
        '"""Keywords of train(), generated from the library\'s table by tools/settings.py: do not edit."""',
        "",
        "from os import PathLike",
        "from typing import Literal, TypedDict",
        "",
        "",
        "class TrainSettings(TypedDict, total=False):",
        '    preset: Literal["paper"] | None',
        '    m: float | Literal["paper", "exact"]',
    ]
    lines += [f"    {setting.name}: {type_of(setting)}" for setting in SETTINGS.values() if setting.name not in OWN]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    print(module(), end="")
