#!/usr/bin/env python3
"""hard.py: commands in which one thing goes wrong: nothing may be lost, and the exit code must be right.

usage: hard.py PROGRAM INJECT FAIL_MEMORY STAGE... [--most N] [--only NAME] [--seed S] [--keep]
  memory   one allocation fails, of the program or of any library: the first of each place that asks for memory, a place being
           known by its last eight callers
  files    one call that changes files fails (EIO, ENOSPC, EINTR, a disk that stays full) or writes only half of what it should
  kills    the program is killed before such a call, or at any moment; then it is started again and must end as if it never was

--most N: at most N failures of a kind for each command, spread evenly and shifted by the seed (default: 60; 0: all).
A line for each command; what went wrong is listed, and makes the exit code 1.  GOMP_SPINCOUNT is set, so that the program does
not start itself again.
"""
import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import cases

PATIENCE, LONG = 120, 1200  # seconds; for `reproduce`, which trains several nets
# Debian 12's fontconfig 2.14 uses what it did not get, and cairo takes other letters if FreeType gets nothing; src/figure/canvas.c asks
# for memory before they are first called.  pixman uses what it did not get while it is loaded, before anything could be lost.
FRAGILE = ["libfontconfig.so", "libfreetype.so", "libpixman-1.so"]
# cairo 1.16 gives pixman the picture of a letter that it could not make; for other letters it says that it has no memory.
CRASHING = FRAGILE + ["(cairo_show_text"]


class Hard:
    def __init__(self, options, folder):
        self.o, self.folder, self.failures, self.tried, self.allocations = options, folder, [], {}, 0

    def path(self, name):
        return os.path.join(self.folder, name)

    def fresh(self, case, old):
        """An empty place for results; old: with results that are there already."""
        shutil.rmtree(self.path("out"), ignore_errors=True)
        os.makedirs(self.path("out"))
        if case.uses:
            shutil.copytree(self.path(case.uses), self.path("out/run"))
        for name in case.writes if old and not case.uses else []:
            if "/run/" not in name:
                os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
                with open(self.path(name), "wb") as file:
                    file.write(b"old")

    def run(self, words, before=(), patience=PATIENCE, **environment):
        env = {**os.environ, **environment}
        try:
            done = subprocess.run([*before, self.o.program, *words], cwd=self.folder, env=env, timeout=patience, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except subprocess.TimeoutExpired:
            return None, "", "does not end"
        return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")

    def results(self, case):
        found = {}
        for name in case.writes:
            try:
                with open(self.path(name), "rb") as file:
                    found[name] = file.read()
            except OSError:
                found[name] = None
        return found

    def left_over(self):
        return [os.path.join(base, name) for base, _, names in os.walk(self.path("out")) for name in names if name.endswith(".part")]

    def bad(self, case, what, why, err=""):
        self.failures.append((case.name, what, why))
        print(f"  {case.name}, {what}: {why}{': ' if err else ''}{err.strip()[-300:]}", flush=True)

    def spread(self, count, name):
        """Numbers from 1 to count, all or some."""
        most = self.o.most
        if most == 0 or count <= most:
            return list(range(1, count + 1))
        shift = random.Random(f"{self.o.seed} {name}").random()
        return sorted({1 + int((i + shift) * count / most) % count for i in range(most)})

    def note(self, kind, case, count, tried, since):
        self.tried[kind] = self.tried.get(kind, 0) + tried
        print(f"{kind:14} {case.name:13} {tried} of {count} places, {time.time() - since:.0f} s", flush=True)

    def numbers(self):
        with open(self.path("count")) as file:
            return int(file.read())

    # ---- One failure in an orderly program ----------------------------------------------------

    def foreign(self, names):
        """Whether the allocation that failed was one of a library that is known to crash without memory."""
        try:
            with open(self.path("trace")) as file:
                frames = [line for line in file.read().splitlines() if "libfail_memory" not in line]
        except OSError:
            return False
        own = next((i for i, frame in enumerate(frames) if "eccentric" in frame), len(frames))
        return any(name in frame for frame in frames[:own] for name in names)

    def judge(self, case, what, good, code, out, err):
        """After a failure: an exit code of 0 means everything is there, 1 that nothing half-done is."""
        if code == 0 and self.foreign(FRAGILE):
            return None
        if code == -signal.SIGSEGV and self.foreign(CRASHING):
            self.tried["crashes of libraries"] = self.tried.get("crashes of libraries", 0) + 1
            return None
        if code is None or code < 0 or code > 128:
            return self.bad(case, what, "does not end" if code is None else f"ends by signal {abs(code) % 128}", err)
        if code == 127 and "loading shared libraries" in err:
            return None  # the system's loader says it, before the program begins
        if code not in (0, 1):
            return self.bad(case, what, f"exit code {code}", err)
        if code == 1 and not err.strip():
            return self.bad(case, what, "exit code 1 without a word")
        now = self.results(case)
        for name, content in now.items():
            if code == 0 and content != good[name]:
                self.bad(case, what, f"exit code 0, but {name} " + ("is missing" if content is None else "differs"), err)
            if code == 1 and content not in (None, b"old", good[name], self.used.get(name)):
                self.bad(case, what, f"{name} is half-done", err)
        if self.left_over():
            self.bad(case, what, f"leaves {os.path.basename(self.left_over()[0])}", err)

    def reference(self, case):
        self.fresh(case, False)
        self.used = self.results(case)  # before the command
        code, _, err = self.run(case.words)
        if code != 0:
            raise SystemExit(f"{case.name} fails by itself: {err}")
        return self.results(case)

    def memory(self, case):
        since, good = time.time(), self.reference(case)
        preload = {"LD_PRELOAD": self.o.fail_memory}
        self.fresh(case, True)
        self.run(case.words, FAIL_COUNT=self.path("count"), FAIL_SITES=self.path("sites"), **preload)
        with open(self.path("sites")) as file:
            sites = [int(line) for line in file]
        places = [sites[at - 1] for at in self.spread(len(sites), case.name)]
        for at in places:
            self.fresh(case, True)
            if os.path.exists(self.path("trace")): os.remove(self.path("trace"))
            self.judge(case, f"allocation {at}", good, *self.run(case.words, FAIL_AT=str(at), FAIL_TRACE=self.path("trace"), **preload))
        self.allocations = self.allocations + self.numbers()
        self.note("memory", case, len(sites), len(places), since)

    def files(self, case):
        good = self.reference(case)
        for action, calls in ("EIO", "all"), ("ENOSPC", "all"), ("STICKY-ENOSPC", "write,fsync,mkdir,rename"), ("EINTR", "write,fsync"), ("short", "write"), ("EIO", "read"):
            since = time.time()
            inject = lambda n: (self.o.inject, action, calls, str(n), self.path("count"))
            self.fresh(case, True)
            self.run(case.words, inject(0))
            count = self.numbers()
            places = self.spread(count, case.name + action)
            for at in places:
                self.fresh(case, True)
                self.judge(case, f"{action} of call {at} ({calls})", good, *self.run(case.words, inject(at)))
            self.note(action + (" read" if calls == "read" else ""), case, count, len(places), since)

    # ---- Kills -------------------------------------------------------------------------------

    def go_on(self, case):
        """Starts again what was killed.  What trains is resumed, or begun again where there is nothing to resume."""
        if case.words[0] == "train":
            code, _, err = self.run(["train", "--resume", "out/run", "--quiet"])
            return (code, err) if code == 0 else self.run(case.words)[::2]
        return self.run(case.words)[::2]

    def judge_kill(self, case, what, good):
        if case.words[0] != "train":
            for name, content in self.results(case).items():
                if content not in (None, b"old", good[name], self.used.get(name)):
                    self.bad(case, what, f"{name} is half-done")
        code, err = self.go_on(case)
        if code != 0:
            return self.bad(case, what, f"cannot go on, exit code {code}", err)
        now = self.results(case)
        for name, content in now.items():
            if content != good[name]:
                self.bad(case, what, f"{name} differs after going on", err)
        if case.words[0] == "train" and self.left_over():
            self.bad(case, what, f"{os.path.basename(self.left_over()[0])} stays", err)

    def kills(self, case):
        if case.name not in ("train-table", "train-images", "components", "encode-csv", "report"):
            return
        since, good = time.time(), self.reference(case)
        inject = lambda n: (self.o.inject, "kill", "all", str(n), self.path("count"))
        self.fresh(case, True)
        start = time.time()
        self.run(case.words, inject(0))
        usual, count = time.time() - start, self.numbers()
        places = self.spread(count, case.name)
        for at in places:
            self.fresh(case, True)
            self.run(case.words, inject(at))
            self.judge_kill(case, f"killed before call {at}", good)
        self.note("kill at call", case, count, len(places), since)
        since, rng, tries = time.time(), random.Random(f"{self.o.seed} {case.name}"), self.o.most or 100
        for _ in range(tries):
            self.fresh(case, True)
            after = rng.uniform(0, 1.1 * usual)
            process = subprocess.Popen([self.o.program, *case.words], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(after)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
            self.judge_kill(case, f"killed after {after:.3f} s", good)
        self.note("kill in time", case, tries, tries, since)

    def reproduce(self):
        """`reproduce` killed again and again must end with the results of one that was not."""
        case = cases.Case("reproduce", "reproduce", "figure3", "--minutes", "0.02", "--quiet", "--out", "out/paper")
        self.used = {}
        strip = lambda text: re.sub(r'"(seconds|images_per_second|date|machine|made|took)": [^,}\n]*', "", text)
        self.fresh(case, False)
        start = time.time()
        code, _, err = self.run(case.words, patience=LONG)
        usual = time.time() - start
        if code != 0:
            raise SystemExit(f"reproduce fails by itself: {err}")
        weights = lambda: {name: open(self.path(f"out/paper/runs/{name}/model.safetensors"), "rb").read() for name in sorted(os.listdir(self.path("out/paper/runs")))}
        good, since = weights(), time.time()
        rng, tries = random.Random(f"{self.o.seed} reproduce"), 0
        for _ in range(max(2, (self.o.most or 60) // 10)):
            self.fresh(case, False)
            for _ in range(5):
                process = subprocess.Popen([self.o.program, *case.words], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                tries += 1
                try:
                    process.wait(rng.uniform(0, usual))
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
            code, _, err = self.run(case.words, patience=LONG)
            if code != 0: self.bad(case, "killed five times", f"cannot go on, exit code {code}", err)
            elif weights() != good: self.bad(case, "killed five times", "weights differ after going on")
        self.note("kill in time", case, tries, tries, since)


def main():
    words = argparse.ArgumentParser(usage=__doc__)
    words.add_argument("program"), words.add_argument("inject"), words.add_argument("fail_memory")
    words.add_argument("stages", nargs="+", choices=["memory", "files", "kills", "reproduce"])
    words.add_argument("--most", type=int, default=60), words.add_argument("--only", default="")
    words.add_argument("--seed", type=int, default=1), words.add_argument("--keep", action="store_true")
    o = words.parse_args()
    if subprocess.run([o.inject, "EIO", "write", "0", os.devnull, "true"], capture_output=True).returncode != 0:
        print("programs cannot be traced here (ptrace, seccomp)")
        return 77
    o.program, o.inject, o.fail_memory = map(os.path.abspath, (o.program, o.inject, o.fail_memory))
    folder = tempfile.mkdtemp(prefix="hard-")
    try:
        cases.prepare(o.program, folder)
        hard = Hard(o, folder)
        for stage in o.stages:
            if stage == "reproduce":
                hard.reproduce()
                continue
            for case in cases.CASES:
                if o.only in case.name:
                    getattr(hard, stage)(case)
    finally:
        if not o.keep: shutil.rmtree(folder, ignore_errors=True)
    more = {"allocations": hard.allocations} if hard.allocations else {}
    print(json.dumps({"tried": hard.tried, **more, "failures": len(hard.failures)}))
    return 1 if hard.failures else 0


if __name__ == "__main__":
    sys.exit(main())
