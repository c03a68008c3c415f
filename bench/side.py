#!/usr/bin/env python3
"""Two trainings at the same time, each on all processors, beside one alone.

usage: bench/side.py PROGRAM [--batches 16 32 100] [--seconds 6] [--rounds 2] [--least 40]
Each line: batch, steps a second alone (best of the rounds), of each of the two (worst), and that share of the first in percent.
Ends with status 1 if a share is below --least.
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
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--least", type=float, default=40)
    args = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="eccentric-side-")
    worst = 100.0
    try:
        print(f"{'batch':>5} {'alone':>9} {'of two':>9} {'share':>6}   steps a second, paper-mnist")
        for batch in args.batches:
            alone, pair = [], []
            for _ in range(args.rounds):
                alone += run(args.program, folder, 1, batch, args.seconds)
                pair += run(args.program, folder, 2, batch, args.seconds)
            share = 100 * min(pair) / max(alone)
            worst = min(worst, share)
            print(f"{batch:>5} {max(alone):>9.1f} {min(pair):>9.1f} {share:>5.0f}%", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0 if worst >= args.least else 1


if __name__ == "__main__":
    sys.exit(main())
