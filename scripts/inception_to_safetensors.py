#!/usr/bin/env python3
"""Makes inception.safetensors, the weights of `--features inception`, from the file that pytorch-fid uses.

usage: inception_to_safetensors.py pt_inception-2015-12-05-6726825d.pth [inception.safetensors]

The .pth file is the FID network of 2015, ported to PyTorch by the authors of pytorch-fid; it is an asset of the release
"fid_weights" of mseitzer's repository pytorch-fid on GitHub, and pytorch-fid leaves it in ~/.cache/torch/hub/checkpoints.
Without a second name the result goes to $ECCENTRIC_DATA or else ~/.local/share/eccentric, where eccentric looks for it.
Needs torch and numpy (pip install torch numpy), nothing else; eccentric itself needs neither.
"""
import hashlib
import json
import os
import pathlib
import struct
import sys

SHA256 = "6726825d"  # its first digits, which are in the file's name


def fail(sentence):
    sys.exit(f"inception_to_safetensors.py: {sentence}")


def read(path):
    try:
        import torch
    except ImportError:
        fail("PyTorch is missing: pip install torch numpy")
    try:
        with open(path, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest() if hasattr(hashlib, "file_digest") else \
                hashlib.sha256(file.read()).hexdigest()
    except OSError as reason:
        fail(f"cannot read '{path}': {reason.strerror}")
    if not digest.startswith(SHA256):
        print(f"inception_to_safetensors.py: the sha256 of '{path}' begins with {digest[:8]}, expected {SHA256}: these are other "
              "weights, whose scores are not comparable with published ones", file=sys.stderr)
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as reason:  # anything that the unpickler raises
        fail(f"'{path}' is not a PyTorch file: {type(reason).__name__}: {str(reason).splitlines()[0][:100]}")
    if not isinstance(state, dict):
        fail(f"'{path}' holds a {type(state).__name__}, expected named tensors")
    return state, digest


def check(state, path):
    if "Conv2d_1a_3x3.conv.weight" not in state:
        fail(f"'{path}' has no tensor Conv2d_1a_3x3.conv.weight, expected the FID network of 2015")
    if any(name.startswith("AuxLogits") for name in state) or len(state.get("fc.weight", range(1008))) != 1008:
        fail(f"'{path}' is torchvision's Inception-v3, expected the FID network of 2015 (pt_inception-2015-12-05-6726825d.pth)")


def encode(state, digest):
    """The bytes of a safetensors file: all but the classifier and the counters of batch norm."""
    tensors = {name: value.float().contiguous().numpy().astype("<f4") for name, value in state.items()
               if not name.startswith("fc.") and not name.endswith("num_batches_tracked")}
    header, offset = {"__metadata__": {"source": "pytorch-fid pt_inception-2015-12-05", "sha256": digest, "input": "[-1, 1]"}}, 0
    for name, value in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": [offset, offset + value.nbytes]}
        offset += value.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return b"".join([struct.pack("<Q", len(text)), text, *(value.tobytes() for value in tensors.values())])


def write(path, data):
    """All or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    os.replace(part, path)


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1] in ("-h", "--help"):
        asked = sys.argv[1:2] in (["-h"], ["--help"])
        print(__doc__, end="", file=sys.stdout if asked else sys.stderr)
        sys.exit(0 if asked else 2)
    home = os.environ.get("ECCENTRIC_DATA") or pathlib.Path.home() / ".local/share/eccentric"
    target = pathlib.Path(sys.argv[2] if len(sys.argv) == 3 else pathlib.Path(home) / "inception.safetensors")
    state, digest = read(sys.argv[1])
    check(state, sys.argv[1])
    write(target, encode(state, digest))
    print(f"wrote {target}")


main()
