"""explore_tables.py: two runs of tables that were standardised differently: each gets the rows as its own data was."""
import sys

import numpy as np
from explore_client import Client

c = Client(sys.argv[1])
about = c.json("api/about")
tables = [run["table"] for run in about["runs"]]
assert [c["name"] for c in tables[0]["columns"]] == [c["name"] for c in tables[1]["columns"]]
assert np.allclose(tables[1]["mean"], 1.5 * np.array(tables[0]["mean"]) + 7, atol=1e-3)
assert np.allclose(tables[1]["deviation"], 1.5 * np.array(tables[0]["deviation"]), rtol=1e-3)
for r, file in enumerate(("first.npy", "second.npy")):
    encoded = np.load(file) / about["runs"][r]["deviations"]
    columns = np.stack([np.frombuffer(c.get(f"api/column?run={r}&k={k}"), "<f4") for k in range(about["d"])], 1)
    assert columns.shape == encoded.shape and np.allclose(columns, encoded, atol=2e-3), (r, np.abs(columns - encoded).max())
    # a decoded row in its columns' own units is what that run exports
    place = columns[5].astype("<f4").tobytes()
    row = np.frombuffer(c.post(f"api/decode?run={r}", place), "<f4")
    open("row.npy", "wb").write(c.post(f"api/export?run={r}&as=npy", place))
    assert np.allclose(np.load("row.npy")[0], np.array(tables[r]["mean"]) + row * tables[r]["deviation"], rtol=1e-5, atol=1e-5)
print("two tables: each run's own scaling")
