"""cases.py: small data and runs for tests/hard, and the commands that are disturbed there."""
import os
import random
import struct
import subprocess
import zlib


def png(path, pixels):
    """pixels: rows of bytes, grey."""
    part = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">2I5B", len(pixels[0]), len(pixels), 8, 0, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) +
                   part(b"IDAT", zlib.compress(b"".join(b"\0" + bytes(row) for row in pixels))) + part(b"IEND", b""))


def npy(path, rows):
    text = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (len(rows), len(rows[0]))
    text += " " * (117 - len(text)) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\0" + struct.pack("<H", len(text)) + text.encode())
        for row in rows:
            file.write(struct.pack("<%df" % len(row), *row))


def make_data(folder):
    """A table with a gap and a label, latents, and images in two classes."""
    random.seed(1)
    with open(folder + "/t.csv", "w") as file:
        print("a,b,c,word,label", file=file)
        for i in range(60):
            s, t = random.gauss(0, 1), random.gauss(0, 1)
            print(f"{s:.3f}" if i != 7 else "", f"{2 * s + t / 9:.3f}", f"{t:.3f}", "xyz"[i % 3], "yes" if s > 0 else "no", sep=",", file=file)
    npy(folder + "/z.npy", [[random.gauss(0, 1) for _ in range(3)] for _ in range(20)])
    for name in "ab":
        os.makedirs(f"{folder}/images/{name}")
        for i in range(10):
            value = 40 if name == "a" else 200
            png(f"{folder}/images/{name}/{i}.png", [[(value + 3 * x * y + 5 * i) % 256 for x in range(12)] for y in range(12)])


TABLE = ["train", "t.csv", "--latent", "2", "--epochs", "6", "--batch", "10", "--keep", "best"]
IMAGES = ["train", "images:all", "--latent", "2", "--epochs", "2", "--batch", "5", "--validation", "0"]


class Case:
    """words: of the command.  writes: files that it makes or changes, compared bit for bit.  uses: a directory that it changes,
    copied anew for every try."""

    def __init__(self, name, *words, writes=(), uses=None):
        self.name, self.words, self.writes, self.uses = name, list(words), list(writes), uses


CASES = [
    Case("version", "--version"),
    Case("theory", "theory", "radius", "--dim", "8", "--mu", "1", "--json"),
    Case("loss", "loss", "z.npy", "--gradient", "out/g.npy", writes=["out/g.npy"]),
    Case("data-table", "data", "info", "t.csv", "--json"),
    Case("data-images", "data", "info", "images:all", "--json"),
    Case("simulate", "simulate", "--points", "12", "--dim", "2", "--steps", "20", "--out", "out/sim"),
    Case("train-table", *TABLE, "--out", "out/run", writes=["out/run/model.safetensors"]),
    Case("train-images", *IMAGES, "--out", "out/run", writes=["out/run/model.safetensors"]),
    Case("encode-npy", "encode", "trained", "t.csv", "--out", "out/z.npy", writes=["out/z.npy"]),
    Case("encode-csv", "encode", "trained", "t.csv", "--out", "out/z.csv", writes=["out/z.csv"]),
    Case("impute", "encode", "trained", "t.csv", "--impute", "out/t.csv", writes=["out/t.csv"]),
    Case("decode", "decode", "trained", "trained.z.npy", "--out", "out/x.npz", writes=["out/x.npz"]),
    Case("sample", "sample", "trained", "-n", "5", "--out", "out/s.csv", writes=["out/s.csv"]),
    Case("components", "components", "out/run", writes=["out/run/components.npz"], uses="trained"),
    Case("scatter", "scatter", "trained", "--out", "out/s.svg"),
    Case("classify", "classify", "trained", "--json"),
    Case("align", "align", "trained", "other", "--json"),
    Case("report", "report", "out/run", uses="trained"),
    Case("grid", "grid", "photos", "--x", "p1", "--y", "p2", "--out", "out/g.png", writes=["out/g.png"]),
    Case("likelihood", "likelihood", "noise", "images:all", "--samples", "20", "--json"),
    Case("dims", "dims", "t.csv", "--latent", "2", "--epochs", "2", "--json"),
    Case("compare", "compare", "t.csv", "--methods", "none,eccentric", "--epochs", "1", "--latent", "2", "--seeds", "1", "--out", "out/cmp"),
    Case("export-html", "export", "photos", "--html", "out/p.html", "--items", "10", writes=["out/p.html"]),
    Case("export-onnx", "export", "trained", "--onnx", "out/onnx", writes=["out/onnx/encoder.onnx", "out/onnx/decoder.onnx"]),
    Case("projector", "export", "photos", "--projector", "out/p", "--items", "10", writes=["out/p/tensors.tsv", "out/p/sprite.png"]),
    Case("fid", "fid", "photos", "images:all", "--features", "pixels", "--json"),
]


def prepare(program, folder):
    """Data, and runs that the commands use."""
    make_data(folder)
    os.environ.update(GOMP_SPINCOUNT="10000", OMP_NUM_THREADS="1", HOME=folder)
    for words in [TABLE + ["--out", "trained"], TABLE + ["--seed", "2", "--out", "other"], IMAGES + ["--out", "photos"],
                  IMAGES + ["--regularizer", "vae", "--reconstruction", "bce", "--out", "noise"],
                  ["encode", "trained", "t.csv", "--out", "trained.z.npy"]]:
        subprocess.run([program, *words, "--quiet"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
