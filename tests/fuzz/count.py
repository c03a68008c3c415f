#!/usr/bin/env python3
"""count.py DOCUMENT TARGET LOG: adds what a run of a fuzz target tried to the table of docs/reliability.md.

The table stands between two comments in the document; LOG is what libFuzzer printed with -print_final_stats=1.
run.sh calls this after each target."""
import datetime
import re
import sys

BEGIN, END = "<!-- fuzzing: kept by tests/fuzz/count.py -->", "<!-- end of fuzzing -->"
HEAD = "| target | inputs so far | edges reached, last | last run |\n|---|---|---|---|\n"


def read_rows(table):
    rows = {}
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4 and cells[1].replace(",", "").isdigit() and cells[0] != "all":
            rows[cells[0]] = [int(cells[1].replace(",", "")), cells[2], cells[3]]
    return rows


def main():
    path, target, log = sys.argv[1:]
    with open(log, errors="replace") as file:
        said = file.read()
    units = re.search(r"^stat::number_of_executed_units:\s*(\d+)", said, re.M)
    edges = re.findall(r"\bcov: (\d+)", said)
    if not units:
        sys.exit(f"{log}: no number of inputs")
    with open(path) as file:
        text = file.read()
    if BEGIN not in text or END not in text:
        sys.exit(f"{path}: no table of fuzzing")
    before, rest = text.split(BEGIN, 1)
    table, after = rest.split(END, 1)
    rows = read_rows(table)
    row = rows.setdefault(target.replace("fuzz_", ""), [0, "", ""])
    row[0] += int(units[1])
    row[1:] = [f"{int(edges[-1]):,}" if edges else row[1], f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}"]
    lines = [f"| {name} | {row[0]:,} | {row[1]} | {row[2]} |" for name, row in sorted(rows.items())]
    lines.append(f"| all | {sum(row[0] for row in rows.values()):,} | | |")
    with open(path, "w") as file:
        file.write(f"{before}{BEGIN}\n{HEAD}" + "\n".join(lines) + f"\n{END}{after}")


if __name__ == "__main__":
    main()
