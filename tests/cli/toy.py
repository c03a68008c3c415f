"""toy.py: small data for the command-line tests: PNG and idx files, digits that are dots on a circle, CelebA's list."""
import os
import struct
import zlib

import numpy as np


def png(path, x):
    """x: [height, width, 1 or 3] of bytes."""
    part = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    height, width, channels = x.shape
    head = struct.pack(">2I5B", width, height, 8, 2 if channels == 3 else 0, 0, 0, 0)
    rows = b"".join(b"\0" + row.tobytes() for row in x)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b""))


def idx(path, a, opener=open):
    with opener(path, "wb") as file:
        file.write(struct.pack(">4B", 0, 0, 8, a.ndim) + struct.pack(f">{a.ndim}I", *a.shape) + a.astype("u1").tobytes())


def digits(directory):
    """Ten classes of 12 x 12 pixels, 300 to train on and 60 to test, as MNIST's files."""
    random = np.random.default_rng(1)
    os.makedirs(directory)
    for part, n in ("train", 300), ("t10k", 60):
        label = np.arange(n) % 10
        angle, radius = label * 0.628 + random.normal(0, .1, n), 3.5 + random.normal(0, .4, n)
        y, x = np.mgrid[0:12, 0:12]
        across, down = (radius * np.cos(angle))[:, None, None], (radius * np.sin(angle))[:, None, None]
        idx(f"{directory}/{part}-images-idx3-ubyte", 255 * np.exp(-((x - 5.5 - across) ** 2 + (y - 5.5 - down) ** 2) / 3))
        idx(f"{directory}/{part}-labels-idx1-ubyte", label)


def faces(directory, names, images, attributes):
    """images: [n, h, w, 3] of any numbers; attributes: [n, len(names)] of bool; the others of forty are never there."""
    os.makedirs(directory + "/img")
    never = 40 - len(names)
    rows = [str(len(images)), " ".join(list(names) + [f"Never{k}" for k in range(never)])]
    for i, (x, row) in enumerate(zip(images, attributes)):
        png(f"{directory}/img/{i:04}.png", np.clip(x, 0, 255).astype("u1"))
        rows.append(f"{i:04}.png " + " ".join(["1" if v else "-1" for v in row] + ["-1"] * never))
    with open(directory + "/list_attr_celeba.txt", "w") as file:
        file.write("\n".join(rows) + "\n")
