"""Runs tests/library_pages.c and compares its pages, pictures and figures with those of the commands.
usage: library_pages.py PROGRAM ECCENTRIC RUN OTHER_RUN TABLE.csv     in a directory to write to"""
import json
import os
import subprocess
import sys
import urllib.request

program, eccentric, run, other, table = sys.argv[1:]


def command(*words, plain=False):
    words = [eccentric, *words] if plain else [eccentric, *words, "--quiet", "--json"]
    return json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)


def same(ours, theirs):
    assert open(ours, "rb").read() == open(theirs, "rb").read(), ours


def close(ours, *theirs):
    assert len(ours) == len(theirs), (ours, theirs)
    assert all(abs(a - b) <= 1e-12 * abs(a) for a, b in zip(ours, theirs)), (ours, theirs)  # JSON has 15 digits


def without_times(value):
    """What two runs of the same work share: all but times, and the names of the directories."""
    if isinstance(value, dict):
        return {key: without_times(at) for key, at in value.items()
                if key not in ("seconds", "made", "runs", "run", "train_seconds") and "command" not in key}
    return [without_times(at) for at in value] if isinstance(value, list) else value


server = subprocess.Popen([program, run, other, table], stdout=subprocess.PIPE, text=True)
try:
    lines = []
    while not lines or not lines[-1].startswith("http"):
        line = server.stdout.readline()
        assert line, "the program ended"
        lines.append(line)
    ours, address = json.loads("".join(lines[:-1])), lines[-1].strip()
    about = json.load(urllib.request.urlopen(address + "api/about"))
    items = urllib.request.urlopen(address + "api/column?run=0&k=0").read()
finally:
    open("stop", "w").close()
assert server.wait(60) == 0

os.mkdir("command")
one = ["--threads", "1"]
command("grid", run, "--x", "p2,p1", "--y", "p3", "--deviations", "1.5", *one, "--out", "command/grid.png")
same("grid.png", "command/grid.png")

report = command("report", run, "--items", "150", "--baselines", "no", "--seed", "3", *one, "--out", "command/report.html")
same("report.html", "command/report.html")
close(ours["report"], report["error"], report["variance_kept"], report["items_trained_on"], report["bytes"])

bench = command("bench", "loss", "--points", "200", "--quick", *one)
close(ours["bench"], bench["batch"], bench["latent"], bench["threads"], bench["bytes"],
      bench["gflops"] * bench["seconds"])

command("compare", table, "--methods", "eccentric,none", "--latent", "2", "--epochs", "2", "--lambdas", "2", *one,
        "--out", "command/compare")
found = json.load(open("compare.json"))
assert without_times(found) == without_times(json.load(open("command/compare/results.json")))
assert found == json.load(open("compare/results.json"))
assert len(found["sections"][0]["rows"]) >= 2

command("reproduce", "figure1", "figure2", "--out", "command/reproduce")
found = json.load(open("reproduce.json"))
theirs = json.load(open("command/reproduce/results.json"))
assert without_times(found["sections"]) == without_times(theirs["sections"]) and len(found["sections"]) == 2

page = command("export", run, other, "--html", "command/page.html", "--items", "120", *one)
same("page.html", "command/page.html")
close(ours["page"], page["bytes"], page["error_most"])
projector = command("export", run, "--projector", "command/projector", "--items", "120", *one)
assert ours["sprite"] == projector["sprite"]
for name in sorted(os.listdir("projector")):
    same("projector/" + name, "command/projector/" + name)

explorer = subprocess.Popen([eccentric, "explore", run, "--items", "120", *one, "--port", "0", "--quiet", "--json"],
                            stdout=subprocess.PIPE, text=True)
try:
    text = ""
    while not text.endswith("}\n"):
        line = explorer.stdout.readline()
        assert line, "the explorer ended"
        text += line
    start = json.loads(text)
    assert start["items"] == ours["items"]
    assert about == json.load(urllib.request.urlopen(start["url"] + "api/about"))
    assert items == urllib.request.urlopen(start["url"] + "api/column?run=0&k=0").read()
finally:
    explorer.terminate()
    explorer.wait(60)
print("the libraries and the commands agree: grid, report, bench, compare, reproduce, export --html and --projector, explore")
