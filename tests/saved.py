"""Archives that scanc saved, in PyTorch: each loads, and computes what the original computes.

Usage: saved.py TOOL CORPUS EXPORTED [GROUP/CASE ...]; needs torch. tests/saved.sh runs it where there is one."""
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
from torch.export.graph_signature import ConstantArgument

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
    args = [s.arg for s in program.graph_signature.input_specs if s.kind.name == "USER_INPUT"]
    return [a.value if isinstance(a, ConstantArgument) else tensor(f"{folder}/in.{a.name}.npy", infos[a.name])
            for a in args]


def leaves(value):
    return [v for v in torch.utils._pytree.tree_leaves(value) if isinstance(v, torch.Tensor)]


def run(path, folder):
    """The results, then arguments and buffers as they are afterwards."""
    program = torch.export.load(path)
    module, inputs = program.module(), user_inputs(program, folder)
    args, kwargs = torch.utils._pytree.tree_unflatten(inputs, program.call_spec.in_spec)
    results = leaves(module(*args, **kwargs))
    return results + leaves(inputs) + [b for _, b in sorted(module.named_buffers())]


def loads(path):
    try:
        torch.export.load(path)
        return True
    except Exception:
        return False


def same_call(saved, original):
    return torch.export.load(saved).call_spec == torch.export.load(original).call_spec


def inputs_of(program):
    """Which parameters take gradients, and which arguments are constants."""
    constants = [(s.arg.name, s.arg.value) for s in program.graph_signature.input_specs
                 if isinstance(s.arg, ConstantArgument)]
    return {n: p.requires_grad for n, p in program.named_parameters()}, constants


def same(a, b, info):
    """Within the tolerance of the case: PyTorch's matrix products depend on where arrays lie."""
    exact = info.get("exact")
    tol = {"rtol": 0 if exact else info["rtol"], "atol": 0 if exact else info["atol"], "equal_nan": True}
    return len(a) == len(b) and all(
        x.dtype == y.dtype and x.shape == y.shape and
        (torch.allclose(x, y, **tol) if x.is_floating_point() or x.is_complex() else torch.equal(x, y))
        for x, y in zip(a, b))


def check_given(tool, model, saved):
    """A printed program, or an archive whose weights are not read, with the arrays of its parameters."""
    folder = os.path.dirname(model)
    done = subprocess.run([tool, "save", model, "--in", folder, "-o", saved], capture_output=True, text=True)
    if done.returncode:
        return "cannot be saved: " + done.stderr.strip()
    with open(folder + "/case.json") as f:
        info = json.load(f)
    program = torch.export.load(saved)
    args, kwargs = torch.utils._pytree.tree_unflatten(user_inputs(program, folder), program.call_spec.in_spec)
    got = leaves(program.module()(*args, **kwargs))
    want = [tensor(f"{folder}/out.{i}.npy", o) for i, o in enumerate(info["outputs"])]
    return None if same(got, want, info) else "computes something else"


def check_schema(tool, tmp):
    """Every alternative of an argument that this PyTorch has is in tests/unit/archive_unions.c."""
    from torch._export.serde.schema import Argument
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "unit", "archive_unions.c")) as f:
        known = f.read()
    missing = [k for k in Argument.__annotations__ if k.startswith("as_") and f'{{"{k}",' not in known]
    return "has others: " + ", ".join(missing) if missing else None


def check(tool, folder, saved):
    """None if all is well, "" if PyTorch cannot run the original, else what is wrong."""
    original = folder + "/model.pt2"
    done = subprocess.run([tool, "save", original, "-o", saved], capture_output=True, text=True)
    with open(folder + "/case.json") as f:
        info = json.load(f)
    if ("torch26" in info["tags"] or "torch27" in info["tags"]) and "missing-input" in done.stderr:
        return check_given(tool, original, saved)
    if done.returncode:
        return "" if "unknown-op" in done.stderr else "cannot be saved: " + done.stderr.strip()
    try:
        torch.export.load(saved)
    except Exception as e:
        return f"does not load: {e!r}" if loads(original) else ""
    try:
        want = run(original, folder)
    except Exception:
        return ""
    try:
        got = run(saved, folder)
    except Exception as e:
        return f"does not run: {e!r}"
    if not same_call(saved, original):
        return "has other trees of arguments or results"
    if inputs_of(torch.export.load(saved)) != inputs_of(torch.export.load(original)):
        return "has other parameters that take gradients, or other constant arguments"
    return None if same(got, want, info) else "computes something else"


class Tied(torch.nn.Module):
    """Weights that share storage, results and arguments that are nested, a condition and a float over sizes."""

    def __init__(self):
        super().__init__()
        self.a = torch.nn.Parameter(torch.arange(12.).reshape(3, 4))
        self.b = torch.nn.Parameter(self.a.detach().t())
        self.register_buffer("row", self.a.detach()[1])
        self.frozen = torch.nn.Parameter(torch.arange(3.), requires_grad=False)
        self.phase = torch.nn.Parameter(torch.ones(3, dtype=torch.complex64))
        self.counts = torch.nn.Parameter(torch.arange(3), requires_grad=False)
        self.register_buffer("table", torch.tensor([3, 1, 2]))
        self.register_buffer("mask", torch.tensor([True, False, True]))
        self.register_buffer("first", self.mask[:1])
        self.register_buffer("scratch", torch.zeros(2), persistent=False)

    def forward(self, h, xs):
        n = xs["x"].shape[0]
        half = torch.sym_float(n) / 2
        y = torch.cond(n > 4, lambda a: a * 2, lambda a: a - 1, (xs["x"] @ self.a + h[0] * half,))
        y = y @ self.b + self.table + self.mask + self.first
        return {"y": y + self.frozen + self.phase.real + self.counts, "r": (self.row, self.scratch)}


def check_sharing(tool, tmp):
    args = ((torch.ones(4),), {"x": torch.arange(15.).reshape(5, 3)})
    n = torch.export.Dim("n", min=2, max=100)
    program = torch.export.export(Tied(), args, dynamic_shapes=((None,), {"x": {0: n}}))
    torch.export.save(program, tmp + "/tied.pt2")
    done = subprocess.run([tool, "save", tmp + "/tied.pt2", "-o", tmp + "/tied2.pt2"], capture_output=True, text=True)
    if done.returncode:
        return "cannot be saved: " + done.stderr.strip()
    back = torch.export.load(tmp + "/tied2.pt2")
    if inputs_of(back) != inputs_of(program):
        return f"the inputs were {inputs_of(program)} and are {inputs_of(back)}"
    for pair in ("a", "b"), ("a", "row"), ("mask", "first"):
        if len({back.state_dict[n].untyped_storage().data_ptr() for n in pair}) != 1:
            return f"{pair} have become two"
    for k in 3, 7:
        other = (args[0], {"x": torch.rand(k, 3)})
        want, got = program.module()(*other), back.module()(*other)
        if not all(torch.equal(a, b) for a, b in zip(leaves(want), leaves(got))) or list(want) != list(got):
            return "computes something else"
    return None


RANGED = """ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, x: "f32[s0, 2]"):
            n: "Sym(s0)" = torch.ops.aten.sym_size.int(x, 0)
            m: "Sym(2*s0)" = n * 2
            q: "Sym(s0 + 1)" = n + 1
            g: "Sym(s0 > 3)" = n > 3
            r: "Sym(Piecewise((s0, s0 > 3), (4, True)))" = torch.sym_ite(g, n, 4)
            s: "Sym(IntTrueDiv(s0, 2))" = n / 2
            z: "f32[2*s0]" = torch.ops.aten.new_ones.default(x, [m])
            y: "f32[2*s0]" = torch.ops.aten.mul.Tensor(z, q)
            v: "f32[2*s0]" = torch.ops.aten.mul.Tensor(y, r)
            w: "f32[2*s0]" = torch.ops.aten.mul.Tensor(v, s)
            return (w,)

Graph signature:
    # inputs
    x: USER_INPUT

    # outputs
    w: USER_OUTPUT

Range constraints: {s0: VR[2, 60], 2*s0: VR[4, 14], s0 + 1: VR[1, 7]}
"""


def check_ranges(tool, tmp):
    """Ranges of expressions, of which the example that PyTorch wants must be within; functions of sizes."""
    with open(tmp + "/ranged.fx", "w") as f:
        f.write(RANGED)
    done = subprocess.run([tool, "save", tmp + "/ranged.fx", "-o", tmp + "/ranged.pt2"], capture_output=True, text=True)
    if done.returncode:
        return "cannot be saved: " + done.stderr.strip()
    program = torch.export.load(tmp + "/ranged.pt2")
    ranges = {str(k): (int(v.lower), int(v.upper)) for k, v in program.range_constraints.items()}
    if ranges != {"s0": (2, 60), "2*s0": (4, 14), "s0 + 1": (1, 7)}:
        return f"has the ranges {ranges}"
    for n in 3, 5:
        want = torch.ones(2 * n) * (n + 1) * max(n, 4) * n / 2
        if not torch.allclose(program.module()(torch.ones(n, 2))[0], want):
            return "computes something else"
    return None


def main():
    tool, folders, only = sys.argv[1], sys.argv[2:4], sys.argv[4:]
    cases = [os.path.dirname(f) for folder in folders for f in sorted(glob.glob(folder + "/*/*/model.pt2"))
             if os.path.exists(os.path.dirname(f) + "/case.json")]
    count = {"same": 0, "wrong": 0, "not run by this PyTorch": 0}
    with tempfile.TemporaryDirectory() as tmp:
        checks = ("tied weights", check_sharing), ("ranges", check_ranges), ("the schema", check_schema)
        for what, of in checks:
            why = of(tool, tmp)
            count["wrong" if why else "same"] += 1
            if why:
                print(f"FAIL {what}: {why[:1000]}")
        for folder in cases:
            case = "/".join(folder.split("/")[-2:])
            if only and case not in only:
                continue
            why = check(tool, folder, tmp + "/saved.pt2")
            count["same" if why is None else "wrong" if why else "not run by this PyTorch"] += 1
            if why:
                print(f"FAIL {case}: {why[:300]}")
            if why is None and case.startswith("models/"):
                why = check_given(tool, folder + "/model.fx", tmp + "/text.pt2")
                count["wrong" if why else "same"] += 1
                if why:
                    print(f"FAIL text of {case}: {why[:300]}")
    print(f"torch {torch.__version__}:", ", ".join(f"{n} {k}" for k, n in count.items()))
    sys.exit(1 if count["wrong"] or not count["same"] else 0)


main()
