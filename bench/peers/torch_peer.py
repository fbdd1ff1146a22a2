"""PyTorch on the CPU: the program as it stands, eager and compiled, and its own operators for the same job."""

import importlib
import re
import types

import torch
from torch._higher_order_ops.associative_scan import generic_associative_scan

import program
from protocol import Skip, Variant

# Beyond this the eager loop takes minutes and says nothing new.
MOST_STEPS = 20000


def version():
    return torch.__version__


def preload():
    """What torch.compile would load at its first use."""
    importlib.import_module("torch._inductor.compile_fx")


def set_threads(count):
    torch.set_num_threads(count)
    torch.set_grad_enabled(False)


def tensors(case):
    return [torch.from_numpy(x) for x in case.inputs]


def as_arrays(results):
    if isinstance(results, torch.Tensor):
        results = (results,)
    return [r.detach().numpy() for r in results]


def eager_scan(combine, init, xs, extras):
    if xs[0].shape[0] > MOST_STEPS:
        raise Skip(f"{xs[0].shape[0]} steps of a loop in Python")
    return torch.ops.higher_order.scan(combine, init, xs, tuple(extras))


def generic_prefix(combine, xs, extras):
    """What torch.associative_scan(combine_mode="generic") does: the only mode it has on the CPU."""
    whole = torch.vmap(lambda *args: tuple(combine(*args, *extras)))
    return generic_associative_scan(lambda *args: list(whole(*args)), list(xs))


def namespace(scan, prefix):
    """The module torch with the scans replaced."""
    higher_order = types.SimpleNamespace(scan=scan, associative_scan=prefix)
    ops = types.SimpleNamespace(aten=torch.ops.aten, higher_order=higher_order)
    shim = types.SimpleNamespace(ops=ops)
    for name in ("nn", "float32", "float64", "int32", "int64", "int16", "int8", "uint8", "bool", "complex64",
                 "complex128", "strided", "preserve_format", "contiguous_format", "device"):
        setattr(shim, name, getattr(torch, name))
    return shim


def _eager(case):
    run = program.load(case.program(), namespace(eager_scan, generic_prefix))
    arrays = tensors(case)
    return lambda: run(*arrays), as_arrays


def functional_scan(combine, init, xs, extras):
    """The scan of the Python API, which is what torch.compile accepts."""

    def step(carry, x):
        results = combine(*carry, *x, *extras)
        return list(results[:len(init)]), list(results[len(init):])

    # Clones: one array may not be a carry and an operand of the step as well.
    carry, ys = torch._higher_order_ops.scan(step, [c.clone() for c in init], list(xs))
    return (*carry, *ys)


def _compiled(case):
    run = program.load(case.program(), namespace(functional_scan, generic_prefix))
    compiled = torch.compile(lambda *args: run(*args), fullgraph=True)
    arrays = tensors(case)
    return lambda: compiled(*arrays), as_arrays


def _prefix(case, name, axis, indices):
    x = tensors(case)[0]
    if name in ("cumsum", "cumprod"):
        return lambda: getattr(torch, name)(x, axis, dtype=x.dtype), as_arrays
    if name == "logcumsumexp":
        return lambda: torch.logcumsumexp(x, axis), as_arrays
    return lambda: getattr(torch, name)(x, axis)[:1 + indices], as_arrays


def _layer(case, kind):
    """nn.GRU or nn.LSTM with the weights of the case, whose inputs are w_ih, w_hh, b_ih, b_hh, x and carries."""
    w_ih, w_hh, b_ih, b_hh, x, *carries = tensors(case)
    layer = kind(x.shape[2], w_hh.shape[1])
    for name, value in dict(weight_ih_l0=w_ih, weight_hh_l0=w_hh, bias_ih_l0=b_ih, bias_hh_l0=b_hh).items():
        getattr(layer, name).copy_(value)
    start = tuple(c[None] for c in carries) if len(carries) > 1 else carries[0][None]

    def read(results):
        ys, last = results
        return as_arrays((ys, *[c[0] for c in (last if isinstance(last, tuple) else (last,))]))

    return lambda: layer(x, start), read


def variants(case):
    text = case.program()
    prefix = program.prefix_of(text)
    if prefix:
        yield Variant("torch." + prefix[0], lambda: _prefix(case, *prefix))
    if case.name in ("gru", "tiny_gru"):
        yield Variant("nn.GRU", lambda: _layer(case, torch.nn.GRU))
    if case.name.startswith("lstm"):
        yield Variant("nn.LSTM", lambda: _layer(case, torch.nn.LSTM))
    if prefix and "higher_order." not in text:
        return
    kind = re.search(r"higher_order\.(\w+)", text)
    kind = kind.group(1) if kind else "program"
    yield Variant(kind + ", eager", lambda: _eager(case))
    yield Variant(kind + ", torch.compile", lambda: _compiled(case))
