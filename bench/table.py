"""Joins lines of "ours {json}" and "torch {json}", from several rounds, into tables: best times and their ratios.

usage: table.py loss|step|engines|inception < lines
"""
import json
import sys

NAN = float("nan")


def keep_best(row, key, record):
    if record["seconds"] < row.get(key, {"seconds": float("inf")})["seconds"]:
        row[key] = record


def read(lines, key_of):
    """Best record of each side for each key, in the order of their first appearance."""
    rows = {}
    for line in lines:
        who, record = line.split(" ", 1)
        record = json.loads(record)
        row = rows.setdefault(key_of(record), {})
        keep_best(row, who, record)
        for floor in ("two_sgemm", "bare_convolutions"):
            if floor in record:
                keep_best(row, "floor", {"seconds": record[floor]})
    return rows


def torch_version(rows):
    return next((row["torch"]["torch"] for row in rows.values() if "torch" in row), "absent")


def seconds(row, who):
    return row.get(who, {"seconds": NAN})["seconds"]


def print_table(names, lines):
    widths = [max(len(line[i]) for line in [names] + lines) for i in range(len(names))]
    for line in [names] + lines:
        print("  ".join(word.rjust(width) for word, width in zip(line, widths)).rstrip())
    print()


def times(row):
    """Ours, the floor and PyTorch in milliseconds, and the two ratios."""
    ours, floor, torch = (seconds(row, who) for who in ("ours", "floor", "torch"))
    words = [f"{1e3 * ours:.4g}", f"{1e3 * floor:.4g}", f"{1e3 * torch:.4g}", f"{ours / floor:.2f}", f"{torch / ours:.1f}"]
    return ["-" if word == "nan" else word for word in words]


def loss():
    rows = read(sys.stdin, lambda record: (record["n"], record["d"]))
    print(f"value and gradient of the eccentric loss; peer: PyTorch {torch_version(rows)}, the paper's code")
    lines = [[str(n), str(d), *times(row), f"{row['ours']['extra_bytes'] / 1e6:.2f}",
              f"{row['torch']['extra_bytes'] / 1e6:.0f}" if "torch" in row else "-"] for (n, d), row in rows.items()]
    print_table(["n", "d", "ours ms", "2 sgemm ms", "PyTorch ms", "ours/sgemm", "PyTorch/ours", "extra MB", "PyTorch MB"], lines)


def configuration(row):
    if "torch" not in row:
        return "-"
    record = row["torch"]
    plural = "" if record["threads"] == 1 else "s"
    words = [word for word in ("folded", "compiled") if record.get(word)]
    return ", ".join([f"{record['threads']} thread{plural}", record["layout"], *words])


def step():
    rows = read(sys.stdin, lambda record: (record["net"], record["batch"], record["bench"]))
    print(f"a training step with data loading, encoding, decoding; bare: the convolutions alone; peer: PyTorch {torch_version(rows)}")
    lines = [[net, str(batch), name, *times(row), f"{row['ours']['gflops']:.1f}", f"{row['ours']['peak_bytes'] / 1e9:.2f}" if name == "step" else "-",
              configuration(row)] for (net, batch, name), row in rows.items()]
    print_table(["net", "batch", "", "ours ms", "bare ms", "PyTorch ms", "ours/bare", "PyTorch/ours", "GFLOP/s", "peak GB",
                 "PyTorch's best"], lines)


def engines():
    """Encoding and decoding beside each engine; the records of the peers name theirs."""
    ours, peers = {}, {}
    for line in sys.stdin:
        who, record = line.split(" ", 1)
        record = json.loads(record)
        key = (record["net"], record["batch"], record["bench"])
        if who == "ours":
            keep_best(ours, key, record)
        else:
            keep_best(peers, (*key, f"{record['engine']} {record['version']}"), record)
    print("encoding and decoding beside inference engines, the same net exported from PyTorch")
    lines = [[net, str(batch), name, engine, f"{1e3 * ours[net, batch, name]['seconds']:.4g}", f"{1e3 * record['seconds']:.4g}",
              f"{record['seconds'] / ours[net, batch, name]['seconds']:.2f}", str(record["threads"])]
             for (net, batch, name, engine), record in peers.items() if (net, batch, name) in ours]
    print_table(["net", "batch", "", "engine", "ours ms", "engine ms", "engine/ours", "its threads"], lines)


def inception():
    rows = read(sys.stdin, lambda record: (record["batch"], record["side"]))
    print(f"features of Inception-v3, random weights; peer: PyTorch {torch_version(rows)} in inference mode")
    lines = []
    for (batch, side), row in rows.items():
        ours, torch = seconds(row, "ours"), seconds(row, "torch")
        words = [f"{1e3 * ours:.4g}", f"{1e3 * torch:.4g}", f"{torch / ours:.2f}"]
        lines.append([str(batch), f"{side}x{side}", *("-" if word == "nan" else word for word in words),
                      f"{row['ours']['gflops']:.1f}", f"{row['ours']['images_per_second']:.1f}", configuration(row)])
    print_table(["batch", "image", "ours ms", "PyTorch ms", "PyTorch/ours", "GFLOP/s", "images/s", "PyTorch's best"], lines)


{"engines": engines, "inception": inception, "loss": loss, "step": step}[sys.argv[1]]()
