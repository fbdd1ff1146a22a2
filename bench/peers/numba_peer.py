"""numba: the steps of a program as a loop over time and a loop over the lanes, fastmath off.

Serves programs whose scan is elementwise, that is, every value of the body has one shape or is a
scalar, and the selective scan of Mamba, written by hand. What stands around the scan (views, flips)
is done by NumPy: its loops are compiled C as well."""

import math

import numba
import numpy as np

import program
from protocol import Skip, Variant


def version():
    return numba.__version__


# Expressions for one element; {z} stands for the type.
SCALAR = dict(
    add="{0} + {1}", sub="{0} - {1}", rsub="{1} - {0}", mul="{0} * {1}", div="{0} / {1}", neg="-{0}", clone="{0}",
    alias="{0}", detach="{0}", reciprocal="{z}(1) / {0}", exp="math.exp({0})", expm1="math.expm1({0})",
    log="math.log({0})", log1p="math.log1p({0})", sqrt="math.sqrt({0})", tanh="math.tanh({0})", abs="abs({0})",
    sigmoid="{z}(1) / ({z}(1) + math.exp(-{0}))", square="{0} * {0}", ge="{0} >= {1}", gt="{0} > {1}",
    le="{0} <= {1}", lt="{0} < {1}", eq="{0} == {1}", ne="{0} != {1}", where="({1} if {0} else {2})",
    maximum="({0} if {0} > {1} or {0} != {0} else {1})", minimum="({0} if {0} < {1} or {0} != {0} else {1})",
    logical_or="({0} or {1})", logical_and="({0} and {1})", logical_not="(not {0})", bitwise_or="({0} | {1})",
    bitwise_and="({0} & {1})", full_like="{z}({1})",
    logaddexp="({0} if {0} == {1} and math.isinf({0}) else max({0}, {1}) + math.log1p(math.exp(-abs({0} - {1}))))")


class Symbol:
    """An element while the body is recorded: the expression's name and its type."""

    def __init__(self, name, dtype):
        self.name, self.dtype = name, dtype


class Recorder:
    """Calls of aten functions in a body become lines of Python for numba."""

    def __init__(self):
        self.lines = []

    def __getattr__(self, name):
        if name.startswith("_") or name not in SCALAR:
            raise Skip(f"aten.{name} is not elementwise: not translated to a loop")
        return lambda *args: self.call(name, args)

    def __contains__(self, name):
        return name in SCALAR

    def __getitem__(self, name):
        return getattr(self, name)

    def call(self, name, args):
        dtype = next((a.dtype for a in args[::-1] if isinstance(a, Symbol)), "float32")
        texts = [a.name if isinstance(a, Symbol) else f"{dtype}({a!r})" for a in args]
        text = SCALAR[name].format(*texts, z=dtype)
        boolean = name in ("ge", "gt", "le", "lt", "eq", "ne") or name.startswith("logical")
        result = Symbol(f"v{len(self.lines)}", "bool" if boolean else dtype)
        self.lines.append(f"{result.name} = {text if boolean else dtype + '(' + text + ')'}")
        return result


# The recorder while a body is recorded: the program was loaded with functions that ask it.
recording = []


class Switch(dict):
    """The aten functions: NumPy's around the scan, the recorder's within."""

    def __contains__(self, name):
        return name in recording[-1] if recording else super().__contains__(name)

    def __getitem__(self, name):
        return recording[-1][name] if recording else super().__getitem__(name)


def record(function, dtypes):
    """(lines, result symbols) of a body whose arguments are called a0, a1, ..."""
    recording.append(Recorder())
    try:
        results = function(*[Symbol(f"a{i}", str(d)) for i, d in enumerate(dtypes)])
        return recording[-1].lines, list(results)
    finally:
        recording.pop()


def loop(lines, results, carries, rows, rank):
    """Source of step(carries [...], rows [T, ...], ys [T, ...]) over lanes of this rank; carries are updated."""
    ys = len(results) - carries
    arguments = [f"c{i}" for i in range(carries)] + [f"x{i}" for i in range(rows)] + [f"y{i}" for i in range(ys)]
    lane = ", ".join(f"d{k}" for k in range(rank))
    here, now = f"[{lane or '()'}]", f"[t, {lane}]" if rank else "[t]"
    loads = [f"a{i} = c{i}{here}" for i in range(carries)] + [f"a{carries + i} = x{i}{now}" for i in range(rows)]
    stores = [f"c{i}{here} = {r.name}" for i, r in enumerate(results[:carries])]
    stores += [f"y{i}{now} = {r.name}" for i, r in enumerate(results[carries:])]
    text = [f"def step({', '.join(arguments)}):", "  for t in range(x0.shape[0]):"]
    text += ["  " * (k + 2) + f"for d{k} in range(x0.shape[{k + 1}]):" for k in range(rank)]
    text += ["  " * (rank + 2) + line for line in loads + lines + stores]
    names = dict(math=math, float32=np.float32, float64=np.float64, int32=np.int32, int64=np.int64, bool=np.bool_,
                 complex64=np.complex64)
    exec("\n".join(text), names)
    return numba.njit(names["step"], fastmath=False)


compiled = {}


def run_loop(function, init, xs, dtypes, ys=None):
    """Runs a recorded body over xs [T, ...] from carries init [...]; compiled at the first call."""
    key = function.__class__
    if key not in compiled:
        lines, results = record(function, dtypes)
        step = loop(lines, results, len(init), len(xs), xs[0].ndim - 1)
        compiled[key] = step, [np.dtype(r.dtype) for r in results[len(init):]]
    step, y_types = compiled[key]
    carries = [np.array(c) for c in init]
    ys = [np.empty(xs[0].shape, d) for d in y_types] if ys is None else ys
    step(*carries, *xs, *ys)
    return carries, ys


def scan(combine, init, xs, extras):
    lanes = np.shape(init[0])
    if extras or any(np.shape(c) != lanes for c in init) or any(x.shape[1:] != lanes for x in xs):
        raise Skip("the scan's step is not elementwise: not translated to a loop")
    dtypes = [np.asarray(v).dtype for v in [*init, *xs]]
    carries, ys = run_loop(combine, init, xs, dtypes)
    return (*carries, *ys)


class Fold:
    """A combine function as the step of a scan; one class per case, as one case has one program."""

    def __init__(self, combine):
        self.combine = combine

    def __call__(self, *args):
        results = list(self.combine(*args))
        return results + results


def associative_scan(combine, xs, extras):
    if extras or any(x.shape != xs[0].shape for x in xs):
        raise Skip("the combine function is not elementwise: not translated to a loop")
    outs = [np.empty_like(x) for x in xs]
    for out, x in zip(outs, xs):
        out[0] = x[0]
    run_loop(Fold(combine), [x[0] for x in xs], [x[1:] for x in xs], [x.dtype for x in [*xs, *xs]],
             [out[1:] for out in outs])
    return outs


@numba.njit(fastmath=False)
def mamba(a, dt, x, b, c, state, y):
    for t in range(dt.shape[0]):
        for d in range(dt.shape[1]):
            total = np.float32(0)
            step = dt[t, d]
            for n in range(a.shape[1]):
                state[d, n] = math.exp(step * a[d, n]) * state[d, n] + step * x[t, d] * b[t, n]
                total += state[d, n] * c[t, n]
            y[t, d] = total


def _mamba(case):
    a, dt, x, b, c, h0 = case.inputs
    state, y = h0.copy(), np.empty_like(x)

    def call():
        state[:] = h0
        mamba(a, dt, x, b, c, state, y)
        return y, state

    return call


def _program(case):
    functions = Switch(program.array_functions(np))
    run = program.load(case.program(), program.namespace(functions, scan, associative_scan))
    return lambda: run(*case.inputs)


def variants(case):
    if case.name == "mamba_scan":
        yield Variant("njit loops, by hand", lambda: _mamba(case))
    elif "higher_order." in case.program():
        yield Variant("njit loop over steps and lanes", lambda: _program(case))
