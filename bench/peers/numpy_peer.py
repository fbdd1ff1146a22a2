"""NumPy: its prefix operations, and programs with a Python loop over the steps and array operations on the lanes."""

import os

import numpy as np

import program
from protocol import Skip, Variant

# Beyond this a Python loop takes minutes and says nothing new.
MOST_STEPS = 20000


def version():
    note = os.environ.get("OPENBLAS_CORETYPE")
    return np.__version__ + (f" (OPENBLAS_CORETYPE={note})" if note else "")


def _steps(xs):
    steps = xs[0].shape[0]
    if steps > MOST_STEPS:
        raise Skip(f"{steps} steps of a Python loop")
    return steps


def loop_scan(combine, init, xs, extras):
    carry, stacked = list(init), None
    for t in range(_steps(xs)):
        results = combine(*carry, *[x[t] for x in xs], *extras)
        carry, ys = list(results[:len(init)]), results[len(init):]
        if stacked is None:
            stacked = [np.empty((xs[0].shape[0],) + np.shape(y), np.asarray(y).dtype) for y in ys]
        for into, y in zip(stacked, ys):
            into[t] = y
    return (*carry, *(stacked or []))


def loop_associative_scan(combine, xs, extras):
    out = [np.empty_like(x) for x in xs]
    last = [x[0] for x in xs]
    for t in range(_steps(xs)):
        if t:
            last = combine(*last, *[x[t] for x in xs], *extras)
        for into, y in zip(out, last):
            into[t] = y
    return out


ACCUMULATE = dict(cumsum=np.add, cumprod=np.multiply, cummax=np.maximum, cummin=np.minimum, logcumsumexp=np.logaddexp)


def _prefix(case, name, axis, indices):
    x, ufunc = case.inputs[0], ACCUMULATE[name]
    if indices:
        places = np.arange(x.shape[axis]).reshape([-1 if d == axis else 1 for d in range(x.ndim)])

        def running():
            values = ufunc.accumulate(x, axis=axis)
            return values, np.maximum.accumulate(np.where(x == values, places, 0), axis=axis)

        return running
    if program.accumulates_wide(case.program()):
        return lambda: ufunc.accumulate(x, axis=axis, dtype=np.float64).astype(x.dtype)
    return lambda: ufunc.accumulate(x, axis=axis, dtype=x.dtype)


def _program(case):
    functions = program.array_functions(np)
    run = program.load(case.program(), program.namespace(functions, loop_scan, loop_associative_scan))

    def call():
        with np.errstate(all="ignore"):
            return run(*case.inputs)

    return call


def variants(case):
    prefix = program.prefix_of(case.program())
    if prefix:
        yield Variant(f"{ACCUMULATE[prefix[0]].__name__}.accumulate", lambda: _prefix(case, *prefix))
    else:
        yield Variant("loop over the steps, arrays of lanes", lambda: _program(case))
