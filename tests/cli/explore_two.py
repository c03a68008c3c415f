"""explore_two.py: two runs aligned; and a server that others can reach, with its token."""
import sys

import numpy as np
from explore_client import Client

c = Client(sys.argv[1])
about = c.json("api/about")
a, d = about["alignment"], about["d"]
assert [r["name"] for r in about["runs"]] == ["run", "other"] and sorted(a["partner"]) == list(range(d))
columns = [np.stack([np.frombuffer(c.get(f"api/column?run={r}&k={k}"), "<f4") for k in range(d)], 1) for r in (0, 1)]
for k in range(d):
    one, other = columns[0][1::2, k], columns[1][1::2, a["partner"][k]] * a["sign"][k]
    assert abs(np.corrcoef(one, other)[0, 1] - a["correlation"][k]) < 1e-3
place = np.frombuffer(c.get("api/place?item=9"), "<f4").reshape(2, d)
assert np.array_equal(place, [columns[0][9], columns[1][9]])
pictures = [np.frombuffer(c.post(f"api/decode?run={r}", place[r].tobytes()), np.uint8).astype(int) for r in (0, 1)]
assert not np.array_equal(*pictures), "two runs decode the same item their own ways"
print("two runs:", a["verdict"] in ("same components", "mostly the same components", "same space, rotated", "some components the same",
                                   "related spaces, different components", "different spaces"))

c = Client(sys.argv[2])
token = c.path.strip("/")
assert len(token) == 32 and c.json("api/about")["items"]["count"] == 200
for path in ("/", "/api/about", "/" + "0" * 32 + "/", "/" + token, "/" + token[:-1] + "/api/about", "//" + token + "/"):
    status, _, data = c.ask("GET", path, absolute=True)
    assert status == 404 and token.encode() not in data, (path, status)
assert c.ask("GET", "", None, {"Host": "evil.example"})[0] == 403
assert c.ask("GET", "", None, {"Host": "192.0.2.1:80"})[0] == 200
print("without the token there is nothing")
