# Names from outside that a terminal would obey: whatever a command prints of them is harmless.
set -e
cat >terminal.py <<'PYTHON'
import os, random, re, subprocess, sys
import numpy as np, toy

# the title is set, the screen is cleared, text is typed; C1 controls as UTF-8 and bare; a line end; right to left
EVIL = "\033]0;t\007\033[2Jx\u009b31m\x7f\u202e\n\rtail"
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
random.seed(1)
os.makedirs("in" + EVIL)
table, latents, folder, run = f"in{EVIL}/t{EVIL}.csv", f"z{EVIL}.npy", f"photos{EVIL}", f"run{EVIL}"
with open(table, "w", newline="") as file:
    file.write(",".join(f'"c{i}{EVIL}"' for i in range(4)) + f',"word{EVIL}",label\n')
    for i in range(80):
        s, t = random.gauss(0, 1), random.gauss(0, 1)
        cells = [f"{v:.3f}" for v in (s, 2 * s + t / 9, t, s - t)]
        if i % 9 == 0: cells[1] = ""
        file.write(",".join(cells) + f',"w{i % 3}{EVIL}","{"yes" if s > 0 else "no"}{EVIL}"\n')
np.save("z.npy", np.random.default_rng(1).normal(size=(40, 3)).astype("f4"))
os.rename("z.npy", latents)
np.save("bad.npy", np.full((4, 2), np.nan, "f4"))
os.rename("bad.npy", "bad" + latents)
for name in "a", "b":
    os.makedirs(f"{folder}/{name}{EVIL}/deeper{EVIL}")
    for i in range(12):
        toy.png(f"{folder}/{name}{EVIL}/{i}{EVIL}.png", np.full((8, 8, 1), 9 * i + 100 * (name == "b"), "u1"))
    open(f"{folder}/{name}{EVIL}/broken{EVIL}.png", "wb").write(b"\x89PNG\r\n\x1a\n")
open(f"{folder}/notes{EVIL}.txt", "w").close()
open("net" + EVIL, "w").write("encoder\n conv" + EVIL + "\n")
open("nonsense" + EVIL + ".csv", "w").write('"a' + EVIL + '","b\n1,2\n')


def look(*words, code=0):
    done = subprocess.run([os.environ["eccentric"], *words], capture_output=True, timeout=600)
    for name, stream in ("stdout", done.stdout), ("stderr", done.stderr):
        text = stream.decode("utf-8", "surrogateescape")
        found = HARMFUL.search(text) or re.search("[\udc80-\udcff]", text)
        if found: print(words[0], name, "has", repr(text[max(0, found.start() - 60):found.end() + 10]))
        if re.search("^tail", text, re.M): print(words[0], name, "has a line of its own from a name")
    if done.returncode != code: print(words, "exit", done.returncode, done.stderr.decode("utf-8", "replace"))
    return done.stdout.decode()


train = "--latent", "2", "--epochs", "3"
look("data", "info", table)
look("data", "info", table, "--label", "label")
look("data", "info", table, "--label", "nothing" + EVIL, code=1)
look("data", "info", table, "--json")
look("data", "info", folder + ":all")
look("data", "info", folder + ":all", "--json")
look("data", "info", folder + ":all", "--strict", code=1)
look("data", "info", "gone" + EVIL, code=1)
look("data", "info", "nonsense" + EVIL + ".csv", code=1)
look("data", "info", latents)
look("loss", latents)
look("loss", "bad" + latents, code=1)
look("loss", latents, "--gradient", "gone/" + EVIL + "/g.npy", "--regularizer", "x" + EVIL, code=2)
look("train", table, "--label", "label", "--out", run, *train)
look("train", table, "--label", "label", "--out", "other", "--seed", "2", *train)
look("train", table, "--resume", run, code=2)
look("train", table, "--out", "third", "--net", "net" + EVIL, code=1)
look("train", folder + ":all", "--out", "images" + EVIL, "--batch", "5", *train)
look("train", table, "--no-such" + EVIL, code=2)
look("no-such" + EVIL, code=2)
for command in ("components", run), ("classify", run), ("report", run), ("scatter", run), ("dims", table, "--latent", "2"), \
        ("align", run, "other"), ("likelihood", "gone" + EVIL), ("encode", run, table, "--out", f"z{EVIL}.csv"), \
        ("encode", run, table, "--impute", f"filled{EVIL}.csv"), ("decode", run, f"z{EVIL}.csv", "--out", f"x{EVIL}.csv"), \
        ("sample", run, "-n", "5", "--out", f"s{EVIL}.csv"), \
        ("compare", table, "--methods", "none,eccentric", "--epochs", "1", "--latent", "2", "--out", "compare" + EVIL), \
        ("grid", "images" + EVIL, "--x", "p1", "--y", "p2", "--out", f"g{EVIL}.png"), \
        ("export", "images" + EVIL, "--html", f"p{EVIL}.html", "--items", "5"), ("export", run, "--onnx", "onnx" + EVIL), \
        ("export", "images" + EVIL, "--projector", "projector" + EVIL), \
        ("sample", "images" + EVIL, "-n", "5", "--out", f"s{EVIL}.npy"), ("fid", "images" + EVIL, folder, "--features", "pixels"):
    look(*command, code=1 if command[1].startswith("gone") else 0)
    if command[0] not in ("report", "compare"): look(*command, "--json", code=1 if command[1].startswith("gone") else 0)
os.remove(table)
look("components", run)
look("classify", run, code=1)
look("encode", run, "--out", "z.csv", code=1)
print("nothing that a terminal obeys")
PYTHON
"$python" terminal.py
