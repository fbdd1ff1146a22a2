#!/usr/bin/env python3
"""Writes tests/exported: archives of torch.export.save with what the corpus has none of, and what PyTorch computes.

Usage: gen_exported.py FOLDER [CASE ...]; needs torch 2.8 or later, and torch 2.7 for pt2/torch27, which only that writes. A case is a folder as in tests/corpus: model.pt2,
in.<name>.npy, out.<i>.npy, mut.<name>.npy for what the program changes, case.json. Archives are written again without
stack traces and examples, so that they are small and say nothing about the machine."""
import copy
import io
import json
import os
import struct
import sys
import zipfile
import zlib

import numpy
import torch
from torch._higher_order_ops.scan import scan
from torch.export import Dim, export
from torch.export.graph_signature import ConstantArgument

FLAT = torch.__version__.startswith("2.7.")  # the layout of archives, in which weights are pickles
if not FLAT:
    from torch.export.pt2_archive._package import package_pt2

NAMES = {"torch.float32": "f32", "torch.float64": "f64", "torch.float16": "f16", "torch.bfloat16": "bf16",
         "torch.int64": "i64", "torch.int32": "i32", "torch.int16": "i16", "torch.int8": "i8", "torch.uint8": "u8",
         "torch.bool": "bool", "torch.complex64": "c64", "torch.complex128": "c128"}


# ---- archives ----

def stored_zip(path, entries):
    """As PyTorch writes them: stored, data at multiples of 64."""
    out, directory = bytearray(), bytearray()
    for name, data in entries:
        raw, at = name.encode(), len(out)
        pad = -(at + 30 + len(raw) + 4) % 64
        facts = struct.pack("<HHHIII", 0, 0, 0, zlib.crc32(data), len(data), len(data))
        out += b"PK\3\4" + struct.pack("<HH", 0, 0x800) + facts + struct.pack("<HH", len(raw), pad + 4)
        out += raw + b"FB" + struct.pack("<H", pad) + b"Z" * pad + data
        directory += b"PK\1\2" + struct.pack("<HHH", 0, 0, 0x800) + facts
        directory += struct.pack("<HHHHHII", len(raw), 0, 0, 0, 0, 0, at) + raw
    n, at = len(entries), len(out)
    with open(path, "wb") as f:
        f.write(out + directory + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, n, n, len(directory), at, 0))


def without_traces(value):
    if isinstance(value, dict):
        return {k: {} if k == "metadata" else without_traces(v) for k, v in value.items()}
    return [without_traces(v) for v in value] if isinstance(value, list) else value


def neutral(data, path):
    """The archive in `data` under the name model.pt2, without what only this machine has."""
    entries = []
    with zipfile.ZipFile(io.BytesIO(data)) as z:
        for name in z.namelist():
            rest, content = name if FLAT else name.split("/", 1)[1], z.read(name)
            if rest == ".data/serialization_id":
                continue
            if rest.endswith(".json"):
                content = json.dumps(without_traces(json.loads(content)), separators=(",", ":")).encode()
            if rest.startswith("data/sample_inputs/") or rest.endswith(".pt"):
                content = b""
            entries.append((rest if FLAT else "model/" + rest, content))
    stored_zip(path, entries)


# ---- cases ----

def array(t):
    t = torch.as_tensor(t).detach()
    return t.contiguous().view(torch.int16).numpy().view(numpy.uint16) if t.dtype == torch.bfloat16 else t.numpy()


def describe(name, t):
    if isinstance(t, int):
        return {"name": name, "dtype": "symint", "shape": []}
    return {"name": name, "dtype": NAMES[str(t.dtype)], "shape": list(t.shape)}


def write_case(folder, what, program, args, want, mutated=(), kind="none", exact=True, tags=()):
    """want: the results; mutated: (name of the input, its value afterwards)."""
    os.makedirs(folder, exist_ok=True)
    data = io.BytesIO()
    torch.export.save(program, data)
    neutral(data.getvalue(), folder + "/model.pt2")
    names = [s.arg.name for s in program.graph_signature.input_specs if s.kind.name == "USER_INPUT"]
    constants = {s.arg.name for s in program.graph_signature.input_specs if isinstance(s.arg, ConstantArgument)}
    inputs = [(n, t) for n, t in zip(names, torch.utils._pytree.tree_leaves(args)) if n not in constants]
    if FLAT:
        values = {**program.state_dict, **program.constants}
        inputs += [(s.arg.name, values[s.target]) for s in program.graph_signature.input_specs if s.target]
    for name, t in inputs:
        numpy.save(f"{folder}/in.{name}.npy", array(t))
    for i, t in enumerate(want):
        numpy.save(f"{folder}/out.{i}.npy", array(t))
    for name, t in mutated:
        numpy.save(f"{folder}/mut.{name}.npy", array(t))
    info = {"name": "pt2/" + os.path.basename(folder), "what": what, "kind": kind, "torch": torch.__version__.split("+")[0],
            "inputs": [describe(n, t) for n, t in inputs], "outputs": [describe("", t) for t in want], "rtol": 1e-5,
            "atol": 1e-6, "exact": exact, "dynamic": False, "tags": list(tags)}
    for o in info["outputs"]:
        del o["name"]
    with open(folder + "/case.json", "w") as f:
        json.dump(info, f, indent=1)
        f.write("\n")


def ramp(*shape, dtype=torch.float32):
    n = 1
    for s in shape:
        n *= s
    t = (torch.arange(n) % 7 - 3).reshape(shape).to(dtype)
    return t / 2 if dtype.is_floating_point or dtype.is_complex else t  # an integer divided is a float


class Mutates(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.tensor([1, 2, 3]))
        self.register_buffer("scratch", torch.zeros(2, 2), persistent=False)
        self.w = torch.nn.Parameter(ramp(2, 2))

    def forward(self, x, h):
        y = x @ self.w + h["a"]
        self.count.add_(2)
        self.scratch.copy_(y[:2])
        h["a"].mul_(2)
        x.sub_(1)
        return {"y": y, "total": self.count.sum()}


def mutations(folder, decomposed):
    m = Mutates()
    args = (ramp(3, 2), {"a": ramp(3, 2) + 1})
    program = export(m, args)
    if decomposed:
        program = program.run_decompositions()
    m = copy.deepcopy(m)  # the program has the buffers of the original
    x, a = args[0].clone(), args[1]["a"].clone()
    got = m(x, {"a": a})
    write_case(folder, "buffers and arguments that the program changes", program, args, [got["y"], got["total"]],
               [("b_count", m.count), ("b_scratch", m.scratch), ("x", x), ("h_a", a)])


class Maps(torch.nn.Module):
    def forward(self, xs, scale):
        return torch.ops.higher_order.map_impl(lambda x, y, s: (x * s + y, x.sum()), [xs["x"], xs["y"]], [scale])


def maps(folder):
    args = ({"x": ramp(4, 3), "y": ramp(4, 3) + 2}, ramp(3))
    x, y, s = args[0]["x"], args[0]["y"], args[1]
    write_case(folder, "a map over two leaves with an operand for all steps", export(Maps(), args, strict=False), args,
               [x * s + y, x.sum(1)])


class Dtypes(torch.nn.Module):
    def __init__(self):
        super().__init__()
        for name in NAMES:
            dtype = getattr(torch, name[6:])
            base = torch.tensor([True, False, True]) if dtype == torch.bool else ramp(3, dtype=dtype)
            if dtype.is_complex:
                base = base + 0.5j * ramp(3).to(dtype)
            assert base.dtype == dtype
            self.register_buffer("b_" + name[6:], base)
            self.register_buffer("s_" + name[6:], base.reshape(3, 1).expand(3, 2)[1:], persistent=False)

    def forward(self, *xs):
        out = []
        for name, x in zip(NAMES, xs):
            b, s = getattr(self, "b_" + name[6:]), getattr(self, "s_" + name[6:])
            out += [b ^ x, s.clone()] if x.dtype == torch.bool else [b + x, s * x[:2]]
        return tuple(out)


def dtypes(folder):
    m = Dtypes()
    args = tuple(torch.ones(3, dtype=getattr(torch, n[6:])) if n != "torch.bool" else torch.tensor([True, True, False])
                 for n in NAMES)
    write_case(folder, "buffers and constants of every dtype", export(m, args), args, m(*args))


class Shared(torch.nn.Module):
    """Parameters that are views of one storage: transposed, strided, with an offset, expanded, empty."""

    def __init__(self):
        super().__init__()
        base = torch.arange(24.)
        self.whole = torch.nn.Parameter(base)
        self.columns = torch.nn.Parameter(self.whole.detach().view(4, 6).t())
        self.every = torch.nn.Parameter(self.whole.detach()[1::3])
        self.tied = self.columns
        self.register_buffer("corner", self.whole.detach().view(4, 6)[1:3, 2:4])
        self.register_buffer("row", torch.arange(2.).expand(3, 2))
        self.register_buffer("nothing", torch.zeros(0, 3))
        self.register_buffer("scalar", torch.tensor(2.5))
        self.register_buffer("bits", torch.tensor([True, False, True, True])[1:])

    def forward(self, x):
        y = x @ self.columns
        return (y, self.tied + 1, self.every * x.sum(), self.corner + self.scalar, self.row * 2, self.nothing.sum(0),
                self.bits.clone())


def shared(folder):
    m, args = Shared(), (ramp(2, 6),)
    write_case(folder, Shared.__doc__, export(m, args), args, m(*args))


class SizeAmongTensors(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(ramp(3))

    def forward(self, init, xs):
        n = xs.shape[1]

        def step(c, x):
            y = (c + x.sum()) * self.w
            return y, y / n

        return scan(step, init, xs)


def size_among_tensors(folder):
    m, args = SizeAmongTensors(), (ramp(3), ramp(4, 5))
    n = Dim("n", min=2, max=60)
    program = export(m, args, dynamic_shapes=(None, {1: n}))
    c, ys = args[0], []
    for x in args[1]:
        c = (c + x.sum()) * m.w
        ys.append(c / 5)
    write_case(folder, "a scan with a symbolic integer among its captured tensors", program, args, [c, torch.stack(ys)],
               kind="scan", exact=False)


class Conditions(torch.nn.Module):
    def forward(self, x, k):
        n = x.shape[0]
        m = torch.sym_max(n // 2, 3)
        r = torch.sym_ite(n > 6, n, m)
        f = torch.sym_float(n) * 0.5
        return x.new_zeros(m) + f, x.new_ones(torch.sym_min(n, 4)), x * k + r, x * (n % 3), torch.cond(n > 5, lambda a: a + 1, lambda a: a - 1, (x,))


def conditions(folder):
    args = (ramp(8, 2), 3)
    program = export(Conditions(), args, dynamic_shapes=({0: Dim("n", min=4, max=100)}, Dim.DYNAMIC), strict=False)
    write_case(folder, "sizes, floats and conditions in sympy's words", program, args, Conditions()(*args), exact=False)


class SquareRoot(torch.nn.Module):
    """A function of a size that PyTorch 2.13 saves, but does not load."""

    def forward(self, x):
        return x * torch.sym_sqrt(x.shape[0])


def square_root(folder):
    args = (ramp(9, 2),)
    program = export(SquareRoot(), args, dynamic_shapes=({0: Dim("n", min=4, max=100)},), strict=False)
    write_case(folder, SquareRoot.__doc__, program, args, [SquareRoot()(*args)], exact=False)


class Double(torch.nn.Module):
    def forward(self, x):
        return x * 2


class Triple(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.full((3,), 3.))

    def forward(self, x):
        return x * self.w


def two_models(folder):
    """Not a case to run: tests/cli.sh chooses one of them."""
    os.makedirs(folder, exist_ok=True)
    data = io.BytesIO()
    x = (ramp(3),)
    package_pt2(data, exported_programs={"double": export(Double(), x), "triple": export(Triple(), x)})
    neutral(data.getvalue(), folder + "/model.pt2")


class Resized(torch.nn.Module):
    """F.interpolate, by a size and by factors."""

    def forward(self, x):
        resize = torch.nn.functional.interpolate
        return (resize(x, size=(6, 5)), resize(x, scale_factor=2.), resize(x, size=(6, 5), mode="bilinear"),
                resize(x, scale_factor=(2., 3.), mode="bilinear", align_corners=True))


def resized(folder):
    m, args = Resized(), (ramp(1, 2, 3, 4),)
    write_case(folder, Resized.__doc__, export(m, args), args, m(*args), exact=False)


class Constants(torch.nn.Module):
    """Arguments that are constants of the program: None, numbers, a string, a truth value."""

    def forward(self, x, mask=None, n=2, f=2.5, mode="mean", flag=True):
        y = x * n + f if mask is None else x * mask
        y = y - 1 if flag else y
        return y.mean(0) if mode == "mean" else y.sum(0)


def constants(folder):
    m, args = Constants(), (ramp(3, 2), None, 2, 2.5, "mean", True)
    write_case(folder, Constants.__doc__, export(m, args), args, [m(*args)], exact=False)


class Flat(torch.nn.Module):
    """An archive of PyTorch 2.7: a scan in reverse over another dimension, a branch, a parameter and two buffers."""

    def __init__(self):
        super().__init__()
        self.decay = torch.nn.Parameter(torch.tensor([0.5, 0.25]))
        self.register_buffer("shift", torch.tensor([1., -1.]))
        self.register_buffer("scale", torch.tensor(2.), persistent=False)

    def forward(self, init, xs, mode="up"):
        def step(c, x):
            c = c * self.decay + x["a"] * x["b"]
            return c, c.clone()

        c, ys = scan(step, init, xs, dim=1, reverse=True)
        y = torch.cond(c.sum() > 0, lambda t: t + 1, lambda t: t - 1, (ys,))
        return c, y * self.scale + self.shift if mode == "up" else y


def flat(folder):
    m, args = Flat(), (ramp(3, 2), {"a": ramp(3, 5, 2), "b": ramp(3, 5, 2) + 1}, "up")
    c, ys = args[0], []
    for t in reversed(range(5)):
        c = c * m.decay + args[1]["a"][:, t] * args[1]["b"][:, t]
        ys.insert(0, c)
    y = torch.stack(ys)
    y = (y + 1 if c.sum() > 0 else y - 1) * m.scale + m.shift
    write_case(folder, Flat.__doc__, export(m, args), args, [c, y], kind="scan", exact=False, tags=["torch27"])


CASES = {"pt2/mutated_training": lambda f: mutations(f, False), "pt2/mutated_decomposed": lambda f: mutations(f, True),
         "pt2/map": maps, "pt2/dtypes": dtypes, "pt2/shared_storage": shared,
         "pt2/size_among_tensors": size_among_tensors, "pt2/conditions": conditions, "pt2/square_root": square_root,
         "pt2/resized": resized, "pt2/constants": constants, "pt2/torch27": flat,
         "several/two_models": two_models}

if __name__ == "__main__":
    for case in sys.argv[2:] or [c for c in CASES if (c == "pt2/torch27") == FLAT]:
        CASES[case](os.path.join(sys.argv[1], case))
        print(case)
