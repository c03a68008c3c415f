#!/usr/bin/env python3
"""checked.py PROGRAM: the commands of cases.py under valgrind's memcheck: nothing is used that was never set, nothing that was freed,
and what is lost at the end is none of ours.  Exit 77 without valgrind."""
import os
import shutil
import subprocess
import sys
import tempfile

import cases


def main():
    program = os.path.abspath(sys.argv[1])
    if not shutil.which("valgrind"):
        print("valgrind is not installed")
        return 77
    folder, bad = tempfile.mkdtemp(prefix="hard-"), 0
    cases.prepare(program, folder)
    # vectors that this valgrind does not know: plain kernels, and OpenBLAS and oneDNN held to AVX2
    env = {**os.environ, "ECCENTRIC_VECTORS": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2", "OPENBLAS_CORETYPE": "Haswell"}
    for case in cases.CASES:
        shutil.rmtree(folder + "/out", ignore_errors=True)
        os.makedirs(folder + "/out")
        if case.uses: shutil.copytree(f"{folder}/{case.uses}", folder + "/out/run")
        words = ["valgrind", "--quiet", "--error-exitcode=99", "--leak-check=no", f"--suppressions={os.path.dirname(os.path.abspath(__file__))}/valgrind.supp",
                 program, *case.words]
        done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True)
        print(f"valgrind       {case.name:13} {'good' if done.returncode == 0 else 'exit code %d' % done.returncode}", flush=True)
        if done.returncode != 0:
            print(done.stderr[-3000:])
            bad += 1
    shutil.rmtree(folder, ignore_errors=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
