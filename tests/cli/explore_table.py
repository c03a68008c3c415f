"""explore_table.py: the explorer of a table: rows instead of images."""
import json
import sys

import numpy as np
from explore_client import Client, floats

c = Client(sys.argv[1])
about = c.json("api/about")
table = about["runs"][0]["table"]
print([c["name"] for c in table["columns"]], about["items"]["classes"])
for k, column in enumerate(table["columns"]):
    assert (column["kind"], column["first"], column["features"]) == ("number", k, 1), column
    assert (column["mean"], column["deviation"]) == (table["mean"][k], table["deviation"][k]), column
row = np.frombuffer(c.post("api/decode", floats([0, 0])), "<f4")
assert row.shape == (4,) and np.abs(row).max() < 1, "the mean decodes to about the mean"
open("row.npy", "wb").write(c.post("api/export?as=npy", floats([0, 0])))
exported = np.load("row.npy")
assert exported.shape == (1, 4) and np.allclose(exported[0], np.array(table["mean"]) + row * table["deviation"], rtol=1e-5)
items = np.frombuffer(c.post("api/items", np.arange(3, dtype="<u4").tobytes()), "<f4").reshape(3, 4)
assert np.isfinite(items).all()
# a column of all items is in its own unit; unusual is what the model says of the rows
count = about["items"]["count"]
own = np.array([np.frombuffer(c.get(f"api/cells?k={k}"), "<f4") for k in range(4)]).T
assert own.shape == (count, 4) and np.allclose(own[:3], np.array(table["mean"]) + items * table["deviation"], rtol=1e-5, atol=1e-4)
parts = []
while sum(p.shape[1] for p in parts) < count:
    parts.append(np.frombuffer(c.get(f"api/unusual?first={sum(p.shape[1] for p in parts)}"), "<f4").reshape(2, -1))
t2, q = np.concatenate(parts, 1)
# rows are numbered as in the file; T2, Q and their limits are those that `encode` writes
written = np.genfromtxt("table-z.csv", delimiter=",", names=True)
assert np.array_equal(np.frombuffer(c.get("api/rows"), "<u4"), written["row"])
assert np.allclose(t2, written["T2"], rtol=1e-3, atol=1e-4) and np.allclose(q, written["Q"], rtol=1e-2, atol=1e-4)
limits, told = about["items"]["limits"], json.load(open("table-z.json"))
assert np.allclose(limits["t2"], told["T2"]["limits"]) and np.allclose(limits["q"], told["Q"]["limits"]), (limits, told)
assert about["items"]["numbers"] == [] and c.ask("GET", "api/number")[0] == 400
places = np.array([np.frombuffer(c.get(f"api/column?k={k}"), "<f4") for k in range(2)]).T
assert np.allclose(t2, (places ** 2).sum(1), rtol=1e-4)
rebuilt = np.array([np.frombuffer(c.post("api/decode", places[i].tobytes()), "<f4") for i in range(3)])
assert np.allclose(q[:3], ((rebuilt - items) ** 2).sum(1), rtol=1e-2, atol=1e-5), (q[:3], rebuilt - items)
print("a column and how unusual:", c.ask("GET", "api/cells?k=4")[0], c.ask("GET", f"api/unusual?first={count}")[0])
for path, body in (("api/export?as=png", floats([0, 0])), ("api/upload", b"\x89PNG")):
    status, _, data = c.ask("POST", path, body)
    print(status, data.decode())
