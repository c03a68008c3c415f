"""explore_api.py: every address of the explorer of one run, against the run's own encodings."""
import io
import os
import sys

import numpy as np
from explore_client import Client, floats

c = Client(sys.argv[1])
about = c.json("api/about")
d = about["d"]
assert (d, about["channels"], about["height"], about["width"]) == (4, 1, 28, 28)
assert about["items"]["count"] == 500 and about["items"]["classes"] == list("0123456789")
assert about["alignment"] is None and len(about["runs"]) == 1 and about["runs"][0]["table"] is None
print("about", sorted(about))

for path in ("", "style.css", "main.js"):
    status, headers, data = c.ask("GET", path)
    assert status == 200 and len(data) > 300 and "default-src 'none'" in headers["content-security-policy"]
    assert headers["content-security-policy"].endswith("frame-ancestors 'none'")
    assert headers["x-content-type-options"] == "nosniff", headers
    print(path or "/", headers["content-type"])
assert c.ask("HEAD", "")[0] == 200 and c.ask("HEAD", "")[2] == b""

f32 = lambda data: np.frombuffer(data, "<f4")
deviations = np.array(about["runs"][0]["deviations"])
p = np.load("p.npy") / deviations
columns = np.stack([f32(c.get(f"api/column?k={k}")) for k in range(d)], 1)
assert columns.shape == (500, d) and np.allclose(columns, p, atol=2e-3), np.abs(columns - p).max()
place = f32(c.get("api/place?item=17"))
assert np.array_equal(place, columns[17])
labels = np.frombuffer(c.get("api/labels"), "<i4")
assert len(labels) == 500 and set(labels) <= set(range(10))
assert len(f32(c.get("api/factor?k=0"))) == 500
items = np.frombuffer(c.post("api/items", np.array([17, 3, 17], "<u4").tobytes()), np.uint8).reshape(3, 28, 28)
assert np.array_equal(items[0], items[2]) and not np.array_equal(items[0], items[1]) and items.max() > 100

many = np.frombuffer(c.post("api/decode", columns[:20].astype("<f4").tobytes()), np.uint8).reshape(20, 28, 28)
one = np.frombuffer(c.post("api/decode?run=0", columns[19].astype("<f4").tobytes()), np.uint8).reshape(28, 28)
assert np.abs(many[19].astype(int) - one).max() <= 1, "one at a time is as many at once"

sample = c.get("api/sample?n=5&seed=3&from=gaussian&truncation=2")
assert len(sample) == 5 * (4 * d + 784) and sample == c.get("api/sample?n=5&seed=3&from=gaussian&truncation=2")
assert np.abs(f32(sample[:80])).max() <= 2.01
again = np.frombuffer(c.post("api/decode", sample[:80]), np.uint8)
assert np.array_equal(again, np.frombuffer(sample[80:], np.uint8)), "a sample's picture is that of its place"

targets = c.json("api/targets")
assert [t["name"] for t in targets] == list("0123456789") and sum(t["count"] for t in targets) == 500
for t in targets:
    mine = labels == int(t["name"])
    assert np.allclose(t["inside"], columns[mine].mean(0), atol=1e-5) and np.allclose(t["beside"], columns[~mine].mean(0), atol=1e-5)
    for k in range(d):
        # information gain of the best split, by looking at all of them
        order = np.argsort(columns[:, k], kind="stable")
        x, y = columns[order, k], mine[order]
        def entropy(q):
            q = np.clip(q, 1e-12, 1 - 1e-12)
            return -q * np.log2(q) - (1 - q) * np.log2(1 - q)
        n = np.arange(1, 500)
        left = np.cumsum(y)[:-1]
        gains = entropy(y.mean()) - n / 500 * entropy(left / n) - (1 - n / 500) * entropy((y.sum() - left) / (500 - n))
        best = gains[x[1:] > x[:-1]].max()
        assert abs(abs(t["gains"][k]) - best) < 1e-6, (t["name"], k, t["gains"][k], best)
print("targets: gains and means as NumPy finds them")

where = floats(columns[42])
open("page.png", "wb").write(c.post("api/export?as=png", where))
open("page.npy", "wb").write(c.post("api/export?as=npy", where))
open("latent.npy", "wb").write(c.post("api/export?as=latent", where))
assert np.allclose(np.load("latent.npy")[0], np.load("z.npy")[42], atol=1e-3)

# the exported picture comes back as an upload, and goes where the autoencoder puts it
upload = c.post("api/upload", open("page.png", "rb").read())
assert len(upload) == 4 * d + 784 and upload[4 * d:] == c.post("api/decode", where)
inverted = c.post("api/upload?invert=1", open("page.png", "rb").read())
assert np.array_equal(255 - np.frombuffer(inverted[4 * d:], np.uint8), np.frombuffer(upload[4 * d:], np.uint8))
print("upload and export agree")
webp = open(os.path.join(os.environ["data"], "../fuzz/corpus/image/lossy.webp"), "rb").read()
assert len(c.post("api/upload", webp)) == 4 * d + 784
print("WebP is an image, too")
