"""explore_faces.py make: small colour images with attributes, as CelebA has them; check FILE: the explorer of their run;
uploads FILE...: the same image to several explorers of it."""
import sys

import numpy as np
import toy


def make():
    r = np.random.default_rng(1)
    bright, red = attributes = r.random((2, 200)) < 0.5
    x = np.where(bright[:, None, None, None], 150.0, 50.0) + r.normal(0, 6, (200, 20, 20, 3))
    x[red, ..., 0] += 80
    toy.faces("celeba-few", ["Bright", "Red"], x, attributes.T)


def check(file):
    from explore_client import Client, floats
    c = Client(file)
    about = c.json("api/about")
    assert (about["channels"], about["height"], about["width"]) == (3, 16, 16) and about["items"]["attributes"][:2] == ["Bright", "Red"]
    rows = [line.split() for line in open("celeba-few/list_attr_celeba.txt").read().splitlines()[2:]]
    for k in range(2):
        values = np.frombuffer(c.get(f"api/attribute?k={k}"), np.uint8)
        assert np.array_equal(values, [row[1 + k] == "1" for row in rows[:len(values)]])
    targets = c.json("api/targets")
    assert [t["name"] for t in targets[:2]] == ["Bright", "Red"] and len(targets) == 40 and max(map(abs, targets[0]["gains"])) > 0.2
    assert c.ask("GET", "api/labels")[0] == 400
    # pixels come as [height, width, channels], and the file of an item as an upload is that item
    item = c.post("api/items", np.array([3], "<u4").tobytes())
    upload = c.post("api/upload", open("celeba-few/img/0003.png", "rb").read())
    open("upload", "wb").write(upload)
    assert upload[-len(item):] == item and len(item) == 16 * 16 * 3
    place = np.frombuffer(c.get("api/place?item=3"), "<f4")
    assert np.allclose(np.frombuffer(upload[:4 * about["d"]], "<f4"), place, atol=2e-3)
    picture = np.frombuffer(c.post("api/decode", place.tobytes()), np.uint8).reshape(16, 16, 3)
    open("face.npy", "wb").write(c.post("api/export?as=npy", floats(place)))
    planes = np.load("face.npy")
    assert planes.shape == (1, 3, 16, 16) and np.array_equal(np.rint(np.clip(planes[0], 0, 1) * 255).transpose(1, 2, 0), picture)
    print("attributes, and colour there and back")


def uploads(two, *others):
    from explore_client import Client
    image, first = open("3.png", "rb").read(), open("upload", "rb").read()
    for file in others:
        assert Client(file).post("api/upload", image) == first, file
    c = Client(two)
    places = np.frombuffer(c.post("api/upload", image)[:4 * 2 * 3], "<f4").reshape(2, 3)
    assert np.allclose(places, np.frombuffer(c.get("api/place?item=3"), "<f4").reshape(2, 3), atol=2e-3)
    assert not np.allclose(places[1], np.frombuffer(first[:12], "<f4"), atol=2e-3)
    print("uploads: cut as each run's own data was")


{"make": make, "check": check, "uploads": uploads}[sys.argv[1]](*sys.argv[2:])
