"""export_onnx.py: ONNX files that `eccentric export` wrote, read and run here, beside what eccentric itself gives.

usage: export_onnx.py ONNX_DIR X.npy Z.npy P.npy DECODED.npy DEVIATIONS.npy
Reads the files with a small reader of its own and runs them with NumPy; with the packages onnx and onnxruntime, by those, too.
Prints differences above 1e-5; those of components are taken in the unit of the latents, since few steps of training leave some small.
"""
import struct
import sys

import numpy as np


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """Number and content of each field: a number, or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
            value -= (value >> 63) << 64
        else:
            size = {1: 8, 5: 4}.get(key & 7)
            if size is None:
                size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            assert len(value) == size
        yield key >> 3, value


def grouped(data):
    found = {}
    for number, value in fields(data):
        found.setdefault(number, []).append(value)
    return found


def tensor(data):
    f = grouped(data)
    values = np.frombuffer(f[9][0], {1: "<f4", 7: "<i8"}[f[2][0]])
    return f[8][0].decode(), values.reshape(f.get(1, []))


def attribute(data):
    f = grouped(data)
    kind = f[20][0]
    value = struct.unpack("<f", f[2][0])[0] if kind == 1 else f[3][0] if kind == 2 else f[8]
    return f[1][0].decode(), value


def conv(x, w, b, strides, pads, kernel_shape):
    x = np.pad(x, ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])))
    windows = np.lib.stride_tricks.sliding_window_view(x, kernel_shape, axis=(2, 3))[:, :, ::strides[0], ::strides[1]]
    return np.einsum("nchwij,ocij->nohw", windows, w) + b[:, None, None]


def conv_transpose(x, w, b, strides, pads, kernel_shape):
    n, _, h, v = x.shape
    y = np.zeros((n, w.shape[1], (h - 1) * strides[0] + kernel_shape[0], (v - 1) * strides[1] + kernel_shape[1]))
    for i in range(h):
        for j in range(v):
            y[:, :, i * strides[0]:i * strides[0] + kernel_shape[0], j * strides[1]:j * strides[1] + kernel_shape[1]] += np.einsum(
                "nc,coij->noij", x[:, :, i, j], w)
    return y[:, :, pads[0]:y.shape[2] - pads[2], pads[1]:y.shape[3] - pads[3]] + b[:, None, None]


def per_channel(values, rank):
    return values.reshape([-1] + [1] * (rank - 2))


OPERATORS = {
    "Add": lambda a, b: a + b,
    "BatchNormalization": lambda x, g, b, m, v, epsilon: per_channel(g, x.ndim) * (x - per_channel(m, x.ndim)) / np.sqrt(
        per_channel(v, x.ndim) + epsilon) + per_channel(b, x.ndim),
    "Conv": conv,
    "ConvTranspose": conv_transpose,
    "Div": lambda a, b: a / b,
    "Gemm": lambda a, b, c, transB=0: a @ (b.T if transB else b) + c,
    "Identity": lambda x: x,
    "IsNaN": np.isnan,
    "LeakyRelu": lambda x, alpha: np.where(x > 0, x, alpha * x),
    "Max": np.maximum,
    "Min": np.minimum,
    "Mul": lambda a, b: a * b,
    "Pad": lambda x, pads: np.pad(x, list(zip(pads[:x.ndim], pads[x.ndim:]))),
    "ReduceSumSquare": lambda x, axes: (x * x).sum(axis=tuple(axes), keepdims=True),
    "Relu": lambda x: np.maximum(x, 0),
    "Reshape": lambda x, shape: x.reshape([x.shape[i] if s == 0 else s for i, s in enumerate(shape)]),
    "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "Slice": lambda x, first, last, axis: x[:, first[0]:last[0]],
    "Sqrt": np.sqrt,
    "Sub": lambda a, b: a - b,
    "Where": np.where,
}


def run(path, inputs):
    """Every value of the graph by its name, in double, and what the file says of itself."""
    model = grouped(open(path, "rb").read())
    graph = grouped(model[7][0])
    values = {name: array.astype(float) if array.dtype == "<f4" else array for name, array in map(tensor, graph[5])}
    values.update({name: array.astype(float) for name, array in inputs.items()})
    for data in graph[1]:
        node = grouped(data)
        arguments = [values[name.decode()] for name in node[1]]
        values[node[2][0].decode()] = OPERATORS[node[4][0].decode()](*arguments, **dict(map(attribute, node.get(5, []))))
    said = {f[1][0].decode(): f[2][0].decode() for f in map(grouped, model[14])}
    return values, said


def by_runtime(path, inputs, names):
    try:
        import onnx
        import onnxruntime
    except ImportError:
        return None
    onnx.checker.check_model(path, full_check=True)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    return dict(zip(names, session.run(names, inputs)))


def compare(what, found, expected):
    if found.shape != expected.shape:
        print(f"{what}: shape {found.shape}, expected {expected.shape}")
        return
    worst = np.abs(found - expected).max() / max(1, np.abs(expected).max())
    print(f"{what}: {'same' if worst < 1e-5 else f'differs by {worst:.1e}'}")


def main():
    directory = sys.argv[1]
    x, z, p, decoded, deviations = (np.load(name) for name in sys.argv[2:7])
    for name, inputs, outputs in (("encoder", {"x": x}, {"z": z, "p": p}), ("decoder", {"p": p}, {"x": decoded})):
        path = f"{directory}/{name}.onnx"
        inputs = {key: value.astype(np.float32) for key, value in inputs.items()}
        values, said = run(path, inputs)
        runtime = by_runtime(path, inputs, list(outputs))
        for key, expected in outputs.items():
            unit = deviations if key == "p" else 1
            compare(f"{name}, {key}", values[key] * unit, expected * unit)
            if runtime is not None:
                compare(f"{name}, {key}, by ONNX Runtime", runtime[key] * unit, expected * unit)
    print("columns:", said.get("columns", "none"))


main()
