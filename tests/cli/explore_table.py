"""explore_table.py: the explorer of a table: rows instead of images."""
import sys

import numpy as np
from explore_client import Client, floats

c = Client(sys.argv[1])
about = c.json("api/about")
table = about["runs"][0]["table"]
print([c["name"] for c in table["columns"]], about["items"]["classes"])
for c, column in enumerate(table["columns"]):
    assert (column["kind"], column["first"], column["features"]) == ("number", c, 1), column
    assert (column["mean"], column["deviation"]) == (table["mean"][c], table["deviation"][c]), column
row = np.frombuffer(c.post("api/decode", floats([0, 0])), "<f4")
assert row.shape == (4,) and np.abs(row).max() < 1, "the mean decodes to about the mean"
open("row.npy", "wb").write(c.post("api/export?as=npy", floats([0, 0])))
exported = np.load("row.npy")
assert exported.shape == (1, 4) and np.allclose(exported[0], np.array(table["mean"]) + row * table["deviation"], rtol=1e-5)
items = np.frombuffer(c.post("api/items", np.arange(3, dtype="<u4").tobytes()), "<f4").reshape(3, 4)
assert np.isfinite(items).all()
for path, body in (("api/export?as=png", floats([0, 0])), ("api/upload", b"\x89PNG")):
    status, _, data = c.ask("POST", path, body)
    print(status, data.decode())
