"""The peers of encoding and decoding: the nets of step_torch.py, exported from PyTorch, in ONNX Runtime and OpenVINO.

usage: infer_engines.py NET BATCH [NET BATCH ...]    prints one line of JSON per engine and measurement: the best over
repeats and thread counts.  The weights are random, batch norm has its running statistics, and both engines may fold it.
"""
import json
import os
import sys
import tempfile
import time

import numpy
import onnxruntime
import openvino
import torch

from step_torch import paper_celeba, paper_mnist

SECONDS = 1.5


def best_time(run):
    for _ in range(3):
        run()
    best, until = float("inf"), time.perf_counter() + SECONDS
    while time.perf_counter() < until:
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best


def export(module, x, path):
    torch.onnx.export(module.eval(), (x,), path, input_names=["x"], output_names=["y"], dynamo=False)
    with torch.inference_mode():
        return module(x).numpy()


def with_onnxruntime(path, x, threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return lambda: session.run(None, {"x": x})[0]


def with_openvino(path, x, threads):
    config = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}
    model = openvino.Core().compile_model(path, "CPU", config)
    request = model.create_infer_request()
    request.set_input_tensor(openvino.Tensor(x, shared_memory=True))

    def run():
        request.infer()
        return request.get_output_tensor().data

    return run


ENGINES = {"ONNX Runtime": (with_onnxruntime, onnxruntime.__version__),
           "OpenVINO": (with_openvino, openvino.__version__.split("-")[0])}


def bench(net, batch):
    encoder, decoder, shape, d = {"paper-mnist": paper_mnist, "paper-celeba": paper_celeba}[net]()
    jobs = {"encode": (encoder, torch.rand(batch, *shape)), "decode": (decoder, torch.randn(batch, d))}
    with tempfile.TemporaryDirectory() as folder:
        for name, (module, x) in jobs.items():
            path = os.path.join(folder, f"{name}.onnx")
            expected = export(module, x, path)
            for engine, (make, version) in ENGINES.items():
                best = {"seconds": float("inf")}
                for threads in sorted({1, os.cpu_count()}):
                    run = make(path, x.numpy(), threads)
                    off = float(numpy.abs(run() - expected).max())
                    if off > 1e-3:
                        raise SystemExit(f"{engine} is off by {off} for {net}, {name}")
                    seconds = best_time(run)
                    if seconds < best["seconds"]:
                        best = {"bench": name, "net": net, "batch": batch, "engine": engine, "version": version,
                                "threads": threads, "seconds": seconds}
                print(json.dumps(best), flush=True)


def main():
    words = sys.argv[1:]
    for net, batch in zip(words[::2], words[1::2]):
        bench(net, int(batch))


if __name__ == "__main__":
    main()
