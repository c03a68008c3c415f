#!/usr/bin/env python3
"""team_kills.py: a training by several processes, of which one is killed at a random moment, again and again.

usage: team_kills.py PROGRAM [--mpirun NAME] [--kills 50] [--processes 3] [--seed 1]
After each kill all others must have ended within ten seconds, with one sentence of the program that names the process, and the training
is resumed.  In the end the weights must be those of a training that was left alone.  The `mpirun` of MPICH ends the others itself, at
times before they can say anything: for it the sentence is counted, not asked for.
"""
import argparse
import filecmp
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

END = 10  # seconds that the others have
WORDS = ["--latent", "2", "--batch", "20", "--keep", "best", "--threads", "1", "--quiet", "--checkpoint-seconds", "0.1"]


class Team:
    def __init__(self, options, folder):
        self.o, self.folder = options, folder
        self.launch = [options.mpirun, "-n", str(options.processes)]
        version = subprocess.run([options.mpirun, "--version"], capture_output=True, text=True).stdout
        self.is_open = "Open MPI" in version or "OpenRTE" in version
        if self.is_open:
            self.launch[1:1] = ["--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]

    def start(self, *words):
        return subprocess.Popen([*self.launch, self.o.program, "train", *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def processes(self, run):
        """Those of the training in this directory, by rank."""
        found = {}
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{number}/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
                with open(f"/proc/{number}/environ", "rb") as file:
                    rank = re.search(rb"\0(?:OMPI_COMM_WORLD_RANK|PMI_RANK)=(\d+)\0", file.read())
                here = os.readlink(f"/proc/{number}/cwd") == self.folder
            except OSError:
                continue
            if here and rank and words[0] == self.o.program.encode() and run.encode() in words:
                found[int(rank[1])] = int(number)
        return found

    def train(self, run, epochs, *words):
        training = self.start("t.csv", *WORDS, "--epochs", str(epochs), "--out", run, *words)
        if training.wait(1200) != 0:
            sys.exit(f"team_kills.py: without a kill: {training.stderr.read()}")

    def kill(self, run, delay, words):
        """Starts or resumes, and kills one process: what it was and what came of it; None: the training had ended before."""
        training = self.start(*words)
        time.sleep(delay)
        alive = self.processes(run)
        if len(alive) < self.o.processes:
            return None if training.wait(1200) == 0 else ("none", 0, training.stderr.read())
        rank = random.choice(sorted(alive))
        os.kill(alive[rank], signal.SIGKILL)
        began = time.time()
        while self.processes(run) and time.time() - began < 60:
            time.sleep(0.02)
        took = time.time() - began
        return rank, took, training.communicate(timeout=60)[1]


def make_table(path):
    """400 rows of six columns, with gaps."""
    numbers = random.Random(1)
    with open(path, "w") as file:
        print("a,b,c,d,e,f", file=file)
        for _ in range(400):
            s, t = numbers.gauss(0, 1), numbers.gauss(0, 1)
            row = [s, t, s + t, s * t, s - t, numbers.gauss(0, 1)]
            print(",".join("" if numbers.random() < 0.05 else f"{value:.4g}" for value in row), file=file)


def attack(team, kills, epochs):
    delays = (0.6, 4.0)  # seconds; on an idle machine the training takes longer
    first = ["t.csv", *WORDS, "--epochs", str(epochs), "--out", "killed"]
    failures, named, slowest, done, lost = [], 0, 0.0, 0, 0
    while done < kills:
        exists = os.path.exists(os.path.join(team.folder, "killed", "checkpoint"))
        if not exists and done > 0 and os.path.exists(os.path.join(team.folder, "killed")):
            shutil.rmtree(os.path.join(team.folder, "killed"))  # killed before the first checkpoint
            lost += 1
        words = ["--resume", "killed", "--quiet"] if exists else first
        outcome = team.kill("killed", random.uniform(*delays), words)
        if outcome is None:  # it has ended: compare, and begin again
            failures += compare(team)
            shutil.rmtree(os.path.join(team.folder, "killed"))
            continue
        rank, took, said = outcome
        done += 1
        slowest = max(slowest, took)
        own = [line for line in said.splitlines() if line.startswith("eccentric: ")]
        named += any(f"process {rank} of {team.o.processes}" in line for line in own)
        if rank == "none" or took > END or (team.is_open and len(own) != 1):
            failures.append(f"kill {done}: process {rank}, {took:.1f} s, said: {said.strip()[-300:]}")
    while (outcome := team.kill("killed", 1200, ["--resume", "killed", "--quiet"])) is not None:
        failures.append(f"resumed at the end: {outcome}")
    failures += compare(team)
    print(f"{team.o.mpirun}: {done} kills of {team.o.processes} processes, {named} named by our sentence, the others ended after at "
          f"most {slowest:.1f} s, {lost} before the first checkpoint; {len(failures)} failures")
    return failures


def compare(team):
    files = [os.path.join(team.folder, run, "model.safetensors") for run in ("whole", "killed")]
    return [] if filecmp.cmp(*files, shallow=False) else ["resumed, other weights"]


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("program")
    words.add_argument("--mpirun", default="mpirun.openmpi")
    words.add_argument("--kills", type=int, default=50)
    words.add_argument("--processes", type=int, default=3)
    words.add_argument("--epochs", type=int, default=1000)
    words.add_argument("--seed", type=int, default=1)
    options = words.parse_args()
    if not shutil.which(options.mpirun):
        print(f"there is no {options.mpirun}: scripts/deps.sh mpi")
        sys.exit(77)
    options.program = os.path.abspath(options.program)
    random.seed(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        make_table(os.path.join(folder, "t.csv"))
        team = Team(options, folder)
        team.train("whole", options.epochs)
        failures = attack(team, options.kills, options.epochs)
    for failure in failures:
        print(failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
