"""Writes eccentric/_declarations.py, the C API for ctypes, from the public headers.

    python tools/declare.py > eccentric/_declarations.py
    python tools/declare.py --layout > layout.c     prints sizes and offsets, to compare with ctypes

The headers are plain: enums, structs of scalars, arrays, pointers and functions, and ECC_API functions.
Pointers are addresses (c_void_p), except for texts, structs that are passed, and functions in structs.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

INCLUDE = Path(__file__).resolve().parents[2] / "include"
HEADERS = [
    "eccentric.h",
    "eccentric_model.h",
    "eccentric_train.h",
    "eccentric_evaluate.h",
    "eccentric_show.h",
    "eccentric_pages.h",
]

SCALARS = {
    "void": "None",
    "bool": "c_bool",
    "char": "c_char",
    "int": "c_int",
    "float": "c_float",
    "double": "c_double",
    "size_t": "c_size_t",
    "int32_t": "c_int32",
    "uint64_t": "c_uint64",
    "unsigned": "c_uint",
    "unsigned char": "c_ubyte",
}


@dataclass
class Field:
    name: str
    type: str  # as ctypes has it


@dataclass
class Api:
    constants: dict[str, int]
    structs: dict[str, list[Field]]
    functions: dict[str, tuple[str, list[str]]]
    version: str


def strip(text: str) -> str:
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"^\s*#(?:.*\\\n)*.*$", "", text, flags=re.M)
    text = re.sub(r'extern "C" \{', " ", text)
    text = re.sub(r"__attribute__\s*\(\(.*?\)\)", " ", text)
    return text.replace("ECC_MUST_CHECK", " ")


def statements(text: str) -> list[str]:
    """Declarations at the top level, each without its semicolon."""
    found, depth, current = [], 0, ""
    for letter in text:
        depth += (letter in "({") - (letter in ")}")
        if letter == ";" and depth == 0:
            found.append(" ".join(current.split()))
            current = ""
        else:
            current += letter
    return found


def split(text: str, separator: str) -> list[str]:
    """At separators outside of brackets."""
    parts, depth, current = [], 0, ""
    for letter in text:
        depth += (letter in "({[") - (letter in ")}]")
        if letter == separator and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += letter
    return [part for part in [*parts, current.strip()] if part]


def ctype(base: str, stars: int, parameter: bool) -> str:
    base = base.replace("const", " ").strip()
    base = " ".join(base.split())
    if stars == 0:
        if base.startswith("enum "):
            return "c_int"
        return base.removeprefix("struct ") if base.startswith("struct ") else SCALARS[base]
    if base == "char" and stars == 1:
        return "c_char_p"
    if base.startswith("struct ") and stars == 1 and parameter:
        return f"POINTER({base.removeprefix('struct ')})"
    return "c_void_p"


def declarator(text: str) -> tuple[str, int, str, list[str]]:
    """Base type, stars, name and array sizes of one declaration, such as `const float *x[2]`."""
    sizes = re.findall(r"\[(\w*)\]", text)
    text = re.sub(r"\[\w*\]", "", text)
    match = re.fullmatch(r"(.*?)([\s*]+(?:const\s*\*?)*)(\w+)", text) or re.fullmatch(r"(\w+)()()", text)
    base, middle, name = match.groups()
    return base, (base + middle).count("*"), name, sizes


def parse(headers: Path = INCLUDE) -> Api:
    api = Api({}, {}, {}, "")
    opaque = set()
    for header in HEADERS:
        if not (headers / header).exists():
            continue
        raw = (headers / header).read_text()
        found = re.search(r'define ECC_VERSION "(.*)"', raw)
        api.version = found.group(1) if found else api.version
        for text in statements(strip(raw)):
            if match := re.match(r"enum (\w+ )?\{(.*)\}$", text):
                add_enum(api, match.group(2))
            elif match := re.match(r"struct (\w+) \{(.*)\}$", text):
                api.structs[match.group(1)] = fields(api, match.group(2), opaque)
            elif match := re.match(r"struct (\w+)$", text):
                opaque.add(match.group(1))
            elif text.startswith("ECC_API"):
                add_function(api, text.removeprefix("ECC_API"), opaque)
            elif text.strip("} "):
                raise SystemExit(f"{header}: cannot read: {text}")
    return api


def add_enum(api: Api, body: str) -> None:
    value = 0
    for entry in split(body, ","):
        name, _, given = (part.strip() for part in entry.partition("="))
        value = int(given, 0) if given else value
        api.constants[name] = value
        value += 1


def fields(api: Api, body: str, opaque: set[str]) -> list[Field]:
    found = []
    for text in split(body, ";"):
        if match := re.match(r"(.*)\(\*(\w+)\)\((.*)\)$", text):
            found.append(Field(match.group(2), function_type(match.group(1), match.group(3))))
            continue
        first, *others = split(text, ",")
        base, stars, name, sizes = declarator(first)
        found.append(Field(name, array(api, ctype(base, stars, False), sizes)))
        plain = re.sub(r"\bconst\b", "", base).replace("*", "").strip()
        for other in others:
            _, stars, name, sizes = declarator(f"{plain} {other}")
            found.append(Field(name, array(api, ctype(plain, stars, False), sizes)))
    return found


def array(api: Api, element: str, sizes: list[str]) -> str:
    for size in reversed(sizes):
        element = f"{element} * {api.constants.get(size) or int(size)}"
    return element


def parameters(text: str) -> list[str]:
    if text.strip() == "void":
        return []
    found = []
    for part in split(text, ","):
        if "(*" in part:
            found.append("c_void_p")
            continue
        base, stars, _, sizes = declarator(part)
        found.append("c_void_p" if sizes else ctype(base, stars, True))
    return found


def function_type(result: str, text: str) -> str:
    base = result.strip()
    kinds = [ctype(base.replace("*", ""), base.count("*"), False)]
    for part in split(text, ","):
        base, stars, _, _ = declarator(part)
        kind = ctype(base, stars, True)
        kinds.append("c_void_p" if kind.startswith("POINTER") else kind)
    return f"CFUNCTYPE({', '.join(kinds)})"


def add_function(api: Api, text: str, opaque: set[str]) -> None:
    match = re.fullmatch(r"\s*(.*?)(\w+)\((.*)\)", text)
    result, name, inside = match.groups()
    kinds = [kind_of(kind, api) for kind in parameters(inside)]
    base = result.strip()
    api.functions[name] = (ctype(base.replace("*", ""), base.count("*"), False), kinds)


def kind_of(kind: str, api: Api) -> str:
    """A pointer to a struct that nobody sees into is an address."""
    match = re.fullmatch(r"POINTER\((\w+)\)", kind)
    return "c_void_p" if match and match.group(1) not in api.structs else kind


def module(api: Api) -> str:
    lines = [
        '"""The C API for ctypes, generated from include/*.h by tools/declare.py: do not edit."""',
        "",
        "from ctypes import (",
        *(f"    {name}," for name in used(api)),
        ")",
        "",
        f'VERSION = "{api.version}"',
        "",
    ]
    lines += [f"{name} = {value}" for name, value in api.constants.items()]
    for name, members in api.structs.items():
        lines += ["", "", f"class {name}(Structure):", "    _fields_ = ["]
        lines += [f'        ("{field.name}", {field.type}),' for field in members]
        lines += ["    ]"]
    lines += ["", "", "# name: result, parameters", "FUNCTIONS = {"]
    for name, (result, kinds) in api.functions.items():
        line = f'    "{name}": ({result}, [{", ".join(kinds)}]),'
        if len(line) > 118:
            lines += [f'    "{name}": (', f"        {result},", "        ["]
            lines += [f"            {kind}," for kind in kinds]
            lines += ["        ],", "    ),"]
        else:
            lines.append(line)
    return "\n".join([*lines, "}", ""])


def used(api: Api) -> list[str]:
    text = " ".join(
        [field.type for members in api.structs.values() for field in members]
        + [f"{result} {' '.join(kinds)}" for result, kinds in api.functions.values()]
    )
    names = set(re.findall(r"\bc_\w+|CFUNCTYPE|POINTER", text)) | {"Structure"}
    return sorted(names, key=lambda name: (not name.isupper(), not name[0].isupper(), name))


def layout(api: Api) -> str:
    """A C program that prints a line for each struct and field: name, size, offset."""
    lines = [f"#include <{name}>" for name in HEADERS if (INCLUDE / name).exists()]
    lines += ["#include <stdio.h>", "int main(void)", "{"]
    for name, members in api.structs.items():
        lines.append(f'    printf("{name} %zu\\n", sizeof(struct {name}));')
        for field in members:
            at = f"offsetof(struct {name}, {field.name})"
            size = f"sizeof(((struct {name} *)0)->{field.name})"
            lines.append(f'    printf("{name}.{field.name} %zu %zu\\n", {size}, {at});')
    for name in api.constants:
        lines.append(f'    printf("{name} %d\\n", (int){name});')
    return "\n".join([*lines, "    return 0;", "}", ""])


if __name__ == "__main__":
    print(layout(parse()) if "--layout" in sys.argv else module(parse()), end="")
