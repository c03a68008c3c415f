#!/usr/bin/env python3
"""Which branches of src/ the tests have taken: a table of its folders, by gcov.

usage: coverage.py BUILD [--missed FOLDER]
BUILD was made with -DCMAKE_C_FLAGS="--coverage -fprofile-update=atomic -Og" and has run tests: `make coverage` does both.
A branch is one way out of a condition.  Of those that were not taken, some only pass on that memory ran out, which make test-hard
tries (docs/reliability.md): where the condition or the line after it says so, they are counted on their own.
--missed lists the lines of a folder with branches that were not taken."""
import argparse
import collections
import glob
import json
import os
import re
import subprocess

options = argparse.ArgumentParser()
options.add_argument("build")
options.add_argument("--missed")
options = options.parse_args()
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def merge(lines, found):
    """The same file may be compiled into several programs: a branch is taken if it is in one of them."""
    for line in found:
        branches = [branch["count"] for branch in line.get("branches", [])]
        old = lines.get(line["line_number"])
        if old is None or len(branches) > len(old[1]):
            lines[line["line_number"]] = [max(line["count"], old[0] if old else 0), branches]
            continue
        old[0] = max(old[0], line["count"])
        if len(branches) == len(old[1]):
            old[1] = [max(pair) for pair in zip(old[1], branches)]


def read_counts():
    notes = [path for path in glob.glob(f"{options.build}/**/*.gcno", recursive=True) if "/unit/" not in path and "/small/" not in path]
    files = collections.defaultdict(dict)
    for at in range(0, len(notes), 50):
        done = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", *map(os.path.abspath, notes[at:at + 50])],
                              cwd=options.build, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in done.stdout.splitlines():
            data = json.loads(line)
            for file in data["files"]:
                path = os.path.relpath(os.path.join(data["current_working_directory"], file["file"]), root)
                if path.startswith("src/") and path.endswith(".c"):
                    merge(files[path], file["lines"])
    return files


# What a line looks like that only says that memory ran out, or finds it out.
MEMORY = re.compile(r"fail_memory|NO_MEMORY|= (malloc|calloc|realloc|strdup|strndup)\(|ecc_path_join\(")
TEST = re.compile(r"if \(!\w|if \(.*== NULL|\|\| !|&& !|\? ")


def is_memory(text, number):
    here = text[number - 1] if number <= len(text) else ""
    after = text[number] if number < len(text) else ""
    before = text[number - 2] if number > 1 else ""
    return bool(MEMORY.search(here) or (TEST.search(here) and (MEMORY.search(after) or re.search(r"(malloc|calloc|realloc|strdup|strndup|join)\(", before))))


def main():
    folders = collections.defaultdict(lambda: [0] * 6)  # lines, hit; branches, taken; missed for lack of memory; lines never run
    missed = []
    for path, lines in sorted(read_counts().items()):
        with open(os.path.join(root, path)) as file:
            text = file.read().splitlines()
        row = folders[os.path.dirname(path)]
        for number, (count, branches) in sorted(lines.items()):
            row[0] += 1
            row[1] += count > 0
            row[2] += len(branches)
            row[3] += sum(taken > 0 for taken in branches)
            lost = sum(taken == 0 for taken in branches)
            if lost and is_memory(text, number): row[4] += lost
            elif lost and options.missed and path.startswith(options.missed): missed.append((path, number, lost, count, text[number - 1].strip()))
    if options.missed:
        for path, number, lost, count, line in missed:
            print(f"{path}:{number}: {lost}{'' if count else ' (never run)'}  {line}")
        return
    print("| folder | lines | branches | taken | beside those without memory |\n|---|---|---|---|---|")
    folders["all"] = [sum(column) for column in zip(*folders.values())]
    for folder, (lines, run, branches, taken, memory, _) in folders.items():
        if branches:
            print(f"| {folder} | {100 * run / lines:.1f}% of {lines:,} | {branches:,} | {100 * taken / branches:.1f}% | {100 * taken / (branches - memory):.1f}% |")


if __name__ == "__main__":
    main()
