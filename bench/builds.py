#!/usr/bin/env python3
"""builds.py: two builds of the program by turns: is one slower?   usage: bench/builds.py BUILD_A BUILD_B [--rounds 9] [--only WORD]

For example, what hardening (ECC_HARDEN) costs, on a machine that does nothing else:
    make BUILD=build-plain CMAKEFLAGS=-DECC_HARDEN=OFF && make && bench/builds.py build-plain build
Each round runs every job once with either build, A first in odd rounds, B in even ones.  The table has the best and the median
time of each and their ratios, B over A.  Exit 1 if B is slower by more than 2% in both; --tolerance changes the 2.
"""
import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time


def timed(words, times=1):
    """Seconds of a command, start included: the mean of several."""
    start = time.perf_counter()
    for _ in range(times):
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return (time.perf_counter() - start) / times


def bench(program, *words):
    """Seconds by the program's own clock, the best of its runs."""
    done = subprocess.run([program, "bench", *words, "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["seconds"]


def table(path, rows=40000, columns=12):
    random.seed(1)
    with open(path, "w") as file:
        print(*(f"c{i}" for i in range(columns)), "label", sep=",", file=file)
        for _ in range(rows):
            print(*(f"{random.gauss(0, 1):.4f}" for _ in range(columns)), random.choice("abc"), sep=",", file=file)


def jobs(folder):
    csv = folder + "/table.csv"
    table(csv)
    return {
        "start of the program": lambda p, b: timed([p, "theory", "radius", "--dim", "8", "--mu", "1"], 40),
        "step, paper-mnist, batch 100": lambda p, b: bench(p, "step"),
        "step, paper-mnist, batch 16": lambda p, b: bench(p, "step", "--batch", "16"),
        "step, paper-celeba a quarter, batch 16": lambda p, b: bench(p, "step", "--net", "paper-celeba", "--width", "0.25", "--batch", "16"),
        "encode, paper-mnist": lambda p, b: bench(p, "encode"),
        "decode, paper-mnist": lambda p, b: bench(p, "decode"),
        "loss, 8192 points": lambda p, b: bench(p, "loss"),
        "loss, 512 points, d 8": lambda p, b: bench(p, "loss", "--points", "512", "--latent", "8"),
        "a table of 40,000 rows, read": lambda p, b: timed([p, "data", "info", csv]),
        "a table, trained 2 epochs": lambda p, b: timed([p, "train", csv, "--epochs", "2", "--latent", "4", "--quiet", "--out", f"{folder}/{b}"]),
        "glyphs, trained 10 epochs": lambda p, b: timed([p, "train", "glyphs", "--items", "3000", "--epochs", "10", "--latent", "4", "--quiet", "--out", f"{folder}/{b}"]),
    }


def main():
    words = argparse.ArgumentParser(usage=__doc__)
    words.add_argument("builds", nargs=2)
    words.add_argument("--rounds", type=int, default=9)
    words.add_argument("--only", default="")
    words.add_argument("--tolerance", type=float, default=2)
    o = words.parse_args()
    # as the program sets it for itself: then it need not start itself again
    os.environ.setdefault("GOMP_SPINCOUNT", "10000")
    programs = [os.path.join(b, "eccentric") for b in o.builds]
    with tempfile.TemporaryDirectory() as folder:
        todo = {name: job for name, job in jobs(folder).items() if o.only in name}
        seconds = {name: ([], []) for name in todo}
        for done in range(o.rounds):
            for name, job in todo.items():
                for side in (0, 1) if done % 2 == 0 else (1, 0):
                    # every training has a folder of its own: a run that is there would be refused
                    seconds[name][side].append(job(programs[side], f"{side}-{done}-{len(seconds[name][side])}-{abs(hash(name))}"))
            print(f"round {done + 1} of {o.rounds}, load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    print(f"| job | {o.builds[0]}, best ms | {o.builds[1]}, best ms | ratio | ratio of medians |\n|---|---|---|---|---|")
    slower = []
    for name, (a, b) in seconds.items():
        best, median = min(b) / min(a), statistics.median(b) / statistics.median(a)
        print(f"| {name} | {1e3 * min(a):.3f} | {1e3 * min(b):.3f} | {best:.3f} | {median:.3f} |")
        if min(best, median) > 1 + o.tolerance / 100: slower.append(name)
    print(f"\nslower by more than {o.tolerance:g}%: {', '.join(slower) or 'nothing'}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
