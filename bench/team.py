#!/usr/bin/env python3
"""team.py: parallel efficiency: two processes of one core beside one of one core and one of two threads, by turns.

usage: bench/team.py BUILD [--rounds 5] [--net paper-mnist|paper-celeba] [--epochs N] [--mpirun mpirun.openmpi]
On a machine of two cores that does nothing else: about ten minutes for both nets.  Each process takes batches of 100 items
(paper-mnist) or 64 (paper-celeba at width 0.25).  A time of a step is the best between two rows of a training's metrics, by its own
clock; of each way, the best round counts.  Efficiency is items a second of two processes, over twice those of one core or over
those of two threads; beside it, what two trainings that know nothing of each other reach at the same time, since two cores share
memory and cache whatever connects them.
"""
import argparse
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

NETS = {"paper-mnist": (100, 20, ["--latent", "8"]), "paper-celeba": (64, 4, ["--latent", "64", "--width", "0.25"])}


def faces(path, count):
    """Random 64 x 64 colour images as a .npy file."""
    words = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({count}, 64, 64, 3), }}"
    words += " " * (63 - (10 + len(words)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(words)) + words.encode())
        file.write(random.Random(1).randbytes(count * 64 * 64 * 3))


class Training:
    """One way to train: how many processes, threads of each, cores, and how many such at a time."""

    def __init__(self, name, launch, processes, threads, alone=1):
        self.name, self.launch, self.processes, self.threads, self.alone = name, launch, processes, threads, alone
        self.best = float("inf")

    def start(self, options, directory, number):
        out = os.path.join(directory, f"run{number}")
        words = [*self.launch[number % len(self.launch)], *options, "--threads", str(self.threads), "--out", out]
        return out, subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def run(self, options, batch, directory):
        """Items a second, the best so far."""
        seconds = []
        for out, process in [self.start(options, directory, k) for k in range(self.alone)]:
            said = process.communicate()[1].decode()
            if process.returncode != 0:
                sys.exit(f"team.py: {self.name}: {said.strip()}")
            seconds.append(step_seconds(out))
        self.best = min(self.best, max(seconds))
        return self.processes * self.alone * batch / self.best


def step_seconds(run):
    """Between two rows of the metrics, at least 50 steps: the best; the first row warms up."""
    with open(os.path.join(run, "metrics.jsonl")) as file:
        rows = [json.loads(line) for line in file if line.strip()]
    pairs = list(zip(rows, rows[1:]))[1:]
    return min((b["seconds"] - a["seconds"]) / (b["step"] - a["step"]) for a, b in pairs)


def ways(program, mpirun):
    team = [mpirun, "-n", "2"]
    version = subprocess.run([mpirun, "--version"], capture_output=True, text=True).stdout
    if "Open MPI" in version or "OpenRTE" in version:
        team += ["--bind-to", "core"] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])
    else:
        team += ["-bind-to", "core"]
    on = [["taskset", "-c", str(k), program, "train"] for k in (0, 1)]
    return [
        Training("one process of one core", on[:1], 1, 1),
        Training("one process of two threads", [[program, "train"]], 1, 2),
        Training("two processes of one core", [[*team, program, "train"]], 2, 1),
        Training("two that know nothing of each other", on, 1, 1, alone=2),
    ]


def measure(net, given, directory):
    batch, steps, more = NETS[net]
    data = os.path.join(directory, "faces.npy")
    if net == "paper-celeba":
        faces(data, 2 * steps * batch)
    # an epoch of two processes has half the steps of one: at least four epochs, and about as long for all
    source = ["glyphs", "--items", str(2 * steps * batch)] if net == "paper-mnist" else [data]
    options = [*source, "--net", net, *more, "--batch", str(batch), "--epochs", str(given.epochs or 200 // steps),
                "--validation", "0"]
    options += ["--average", "0", "--keep", "last", "--quiet", "--overwrite", "--checkpoint-seconds", "60"]
    trainings = ways(os.path.join(given.build, "eccentric"), given.mpirun)
    for number in range(given.rounds):
        rates = [t.run(options, batch, directory) for t in trainings]
        print(f"{net}, round {number + 1}: " + ", ".join(f"{r:.0f}" for r in rates) + " items/s", file=sys.stderr)
    print(f"{net}, batches of {batch}, best of {given.rounds} rounds")
    for t, rate in zip(trainings, rates):
        print(f"  {t.name:36s} {1e3 * t.best:8.2f} ms a step {rate:8.0f} items/s")
    core, threads, team, strangers = rates
    print(f"  efficiency: {team / (2 * core):.3f} of two single cores, {team / threads:.3f} of one process of two threads, "
          f"{team / strangers:.3f} of two strangers")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=0, help="default: 200 steps of two processes")
    parser.add_argument("--net", choices=NETS, action="append")
    parser.add_argument("--mpirun", default="mpirun.openmpi")
    given = parser.parse_args()
    given.build = os.path.abspath(given.build)
    os.environ["ECCENTRIC_HANG"] = "60"
    os.environ.pop("OMP_NUM_THREADS", None)
    for net in given.net or NETS:
        with tempfile.TemporaryDirectory() as directory:
            measure(net, given, directory)


if __name__ == "__main__":
    main()
