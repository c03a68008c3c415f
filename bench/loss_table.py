"""Joins the lines of bench_loss ("ours {json}") and loss_torch.py ("torch {json}") into one table: best times, ratios."""
import json
import sys

best = {}
torch = ""
for line in sys.stdin:
    who, record = line.split(" ", 1)
    record = json.loads(record)
    torch = record.get("torch", torch)
    row = best.setdefault((record["n"], record["d"]), {})
    times = {"ours": record["seconds"], "sgemm": record["two_sgemm"]} if who == "ours" else {"torch": record["seconds"]}
    for key, seconds in times.items():
        row[key] = min(row.get(key, seconds), seconds)
    row[who + "_bytes"] = max(record["extra_bytes"], row.get(who + "_bytes", 0))

print(f"value and gradient of the eccentric loss; best of several; peer: PyTorch {torch or 'absent'}, the paper's code")
print(f"{'n':>6} {'d':>4} {'ours ms':>10} {'2 sgemm ms':>11} {'PyTorch ms':>11} {'ours/sgemm':>11} {'PyTorch/ours':>13} {'extra MB':>9} {'PyTorch MB':>11}")
for (n, d), row in best.items():
    peer = row.get("torch", float("nan"))
    print(f"{n:>6} {d:>4} {row['ours'] * 1e3:>10.4f} {row['sgemm'] * 1e3:>11.4f} {peer * 1e3:>11.3f}"
          f" {row['ours'] / row['sgemm']:>11.2f} {peer / row['ours']:>13.1f} {row['ours_bytes'] / 1e6:>9.2f} {row.get('torch_bytes', 0) / 1e6:>11.0f}")
