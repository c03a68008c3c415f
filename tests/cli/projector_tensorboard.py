"""projector_tensorboard.py: what TensorBoard itself makes of a directory that `eccentric export --projector` wrote.

usage: projector_tensorboard.py DIR: starts TensorBoard with its projector on the directory and asks it as its page does.
"""
import json
import logging
import sys
import urllib.request

import numpy as np
from tensorboard import default, program

logging.disable(logging.WARNING)


def main():
    directory = sys.argv[1]
    board = program.TensorBoard(plugins=default.get_plugins())
    board.configure(argv=["tensorboard", "--logdir=" + directory, "--port=0", "--load_fast=false"])
    url = board.launch().rstrip("/") + "/data/plugin/projector/"

    def ask(what):
        with urllib.request.urlopen(url + what) as reply:
            return reply.read()

    runs = json.loads(ask("runs"))
    info = json.loads(ask(f"info?run={runs[0]}"))["embeddings"][0]
    name = info["tensorName"]
    where = f"?run={runs[0]}&name={name}"
    lines = ask("metadata" + where).decode().splitlines()
    tensor = np.frombuffer(ask("tensor" + where), np.float32)
    head = lines[0].split("\t")
    rows = lines[1:] if len(head) > 1 else lines
    tensor = tensor.reshape(len(rows), -1)
    print(f"{len(runs)} run, {name}: {tensor.shape[0]} items along {tensor.shape[1]} components; columns: {', '.join(head) if len(head) > 1 else 'one'}")
    assert all(len(row.split("\t")) == len(head) for row in rows)
    np.save("tensor.npy", tensor)
    if "sprite" in info:
        png = ask("sprite_image" + where)
        size = [int.from_bytes(png[at:at + 4], "big") for at in (16, 20)]
        print(f"sprite of {size[0]} x {size[1]}, images of {' x '.join(map(str, info['sprite']['singleImageDim']))}")


main()
