"""Archives that scanc saved, in PyTorch: each loads, and computes what the original computes.

Usage: saved.py TOOL CORPUS [GROUP/CASE ...]; needs torch. tests/saved.sh runs it where there is one."""
import glob
import json
import logging
import os
import subprocess
import sys
import tempfile
import warnings

import numpy
import torch

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)


def tensor(path, info):
    a = torch.from_numpy(numpy.ascontiguousarray(numpy.load(path)).reshape(numpy.load(path).shape))
    if info["dtype"] == "bf16":
        return a.view(torch.int16).view(torch.bfloat16) if a.dtype == torch.int16 else \
            torch.from_numpy(numpy.load(path).view(numpy.int16)).view(torch.bfloat16)
    return int(a) if info["dtype"] == "symint" else a


def user_inputs(program, folder):
    with open(folder + "/case.json") as f:
        infos = {i["name"]: i for i in json.load(f)["inputs"]}
    names = [s.arg.name for s in program.graph_signature.input_specs if s.kind.name == "USER_INPUT"]
    return [tensor(f"{folder}/in.{n}.npy", infos[n]) for n in names]


def leaves(value):
    return [v for v in torch.utils._pytree.tree_leaves(value) if isinstance(v, torch.Tensor)]


def run(path, folder, nested_like=None):
    program = torch.export.load(path)
    flat = user_inputs(program, folder)
    if nested_like is None:  # the original: arguments have their tree
        spec = program.call_spec.in_spec
        args, kwargs = torch.utils._pytree.tree_unflatten(flat, spec)
        return leaves(program.module()(*args, **kwargs))
    return leaves(program.module()(*flat))


def same(a, b, info):
    """Within the tolerance of the case: PyTorch's matrix products depend on where arrays lie."""
    exact = info.get("exact")
    tol = {"rtol": 0 if exact else info["rtol"], "atol": 0 if exact else info["atol"], "equal_nan": True}
    return len(a) == len(b) and all(
        x.dtype == y.dtype and x.shape == y.shape and
        (torch.allclose(x, y, **tol) if x.is_floating_point() or x.is_complex() else torch.equal(x, y))
        for x, y in zip(a, b))


def check(tool, folder, saved):
    """None if all is well, "" if PyTorch cannot run the original, else what is wrong."""
    original = folder + "/model.pt2"
    done = subprocess.run([tool, "save", original, "-o", saved], capture_output=True, text=True)
    if done.returncode:
        return "" if "unknown-op" in done.stderr else "cannot be saved: " + done.stderr.strip()
    try:
        torch.export.load(saved)
    except Exception as e:
        return f"does not load: {e!r}"
    try:
        want = run(original, folder)
    except Exception:
        return ""
    try:
        got = run(saved, folder, want)
    except Exception as e:
        return f"does not run: {e!r}"
    with open(folder + "/case.json") as f:
        info = json.load(f)
    return None if same(got, want, info) else "computes something else"


def main():
    tool, corpus, only = sys.argv[1], sys.argv[2], sys.argv[3:]
    cases = only or [os.path.dirname(f)[len(corpus) + 1:]
                     for f in sorted(glob.glob(corpus + "/*/*/model.pt2"))]
    count = {"same": 0, "wrong": 0, "not run by this PyTorch": 0}
    with tempfile.TemporaryDirectory() as tmp:
        for case in cases:
            if case.startswith("bad/"):
                continue
            why = check(tool, f"{corpus}/{case}", tmp + "/saved.pt2")
            count["same" if why is None else "wrong" if why else "not run by this PyTorch"] += 1
            if why:
                print(f"FAIL {case}: {why[:300]}")
    print(f"torch {torch.__version__}:", ", ".join(f"{n} {k}" for k, n in count.items()))
    sys.exit(1 if count["wrong"] or not count["same"] else 0)


main()
