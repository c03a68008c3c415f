#!/usr/bin/env python3
"""Two trainings at the same time, each on all processors, beside one alone.

usage: bench/side.py PROGRAM [--batches 16 32 100] [--seconds 4] [--rounds 5] [--least 40]
One alone and two take turns, because the speed of a virtual machine changes from minute to minute: the slower of two is compared with
those alone just before and after.  Each line: batch, steps a second alone and of the slower of two (medians), and the median, least and
largest share in percent.  Ends with status 1 if a median is below --least.
"""
import argparse
import csv
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from statistics import median


def start(program, out, batch):
    words = ["train", "glyphs", "--items", "2000", "--net", "paper-mnist", "--batch", str(batch), "--epochs", "100000",
             "--validation", "0", "--checkpoint-seconds", "60", "--quiet", "--overwrite", "--out", out]
    return subprocess.Popen([program, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def rows(out):
    with open(os.path.join(out, "metrics.csv"), newline="") as file:
        return [(float(row["step"]), float(row["seconds"])) for row in csv.DictReader(file)]


def speed(out):
    """Steps a second until the last row of the metrics: every 50 steps there is one."""
    there = rows(out)
    if not there:
        sys.exit(f"side.py: too few steps in {out}: give --seconds more")
    return there[-1][0] / there[-1][1]


def run(program, folder, count, batch, seconds):
    outs = [os.path.join(folder, f"run{i}") for i in range(count)]
    running = [start(program, out, batch) for out in outs]
    time.sleep(seconds + 1)  # one to start
    for process in running:
        process.send_signal(signal.SIGINT)
    for process in running:
        said = process.communicate()[1]
        if process.returncode not in (0, 1, 130):
            sys.exit(f"side.py: a training failed: {said}")
    return [speed(out) for out in outs]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--batches", type=int, nargs="+", default=[16, 32, 100])
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--least", type=float, default=40)
    args = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="eccentric-side-")
    worst = 100.0
    try:
        print(f"{'batch':>5} {'alone':>9} {'of two':>9} {'share':>6} {'least':>6} {'most':>6}   steps a second, paper-mnist")
        for batch in args.batches:
            alone, pair = run(args.program, folder, 1, batch, args.seconds), []
            for _ in range(args.rounds):
                pair.append(min(run(args.program, folder, 2, batch, args.seconds)))
                alone += run(args.program, folder, 1, batch, args.seconds)
            shares = [200 * p / (alone[i] + alone[i + 1]) for i, p in enumerate(pair)]
            worst = min(worst, median(shares))
            print(f"{batch:>5} {median(alone):>9.1f} {median(pair):>9.1f} {median(shares):>5.0f}% {min(shares):>5.0f}% {max(shares):>5.0f}%",
                  flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0 if worst >= args.least else 1


if __name__ == "__main__":
    sys.exit(main())
