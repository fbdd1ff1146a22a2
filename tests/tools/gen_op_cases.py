#!/usr/bin/env python3
"""Writes tests/op_cases.txt: what PyTorch gives for elementwise overloads on corner values of every dtype.

Run with a Python that has torch; the file records the version. One case per line:

    @name | dtype:hex,hex,...                          a 1-d input tensor, elements as little-endian bytes
    overload | accuracy | argument ; argument ... | result

An argument is `@name`, or `=literal` (a number, string or None), with a name in front for keyword arguments. `accuracy` is the largest distance from PyTorch's result in units in
the last place: 0 is bit-equal (all NaNs count as one value); `z` behind it: the sign of a zero is not compared (maximum and
minimum, where scanc orders -0 below +0 and PyTorch does not; complex numbers).

Left out are elements where PyTorch's vector code is wrong and scanc is right: erf of the smallest normal numbers (flushed to
0), gelu of infinity (NaN) and, of both forms, far left (cancellation), remainders whose quotient overflows (NaN), the square
root of -inf (NaN or inf, by dtype), alpha forms that overflow between the product and the sum.
"""
import math
import struct
import sys

import torch

DTYPES = {
    "b8": torch.bool, "u8": torch.uint8, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64,
    "f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64,
    "c64": torch.complex64, "c128": torch.complex128,
}
NAMES = {v: k for k, v in DTYPES.items()}
INTS = ["u8", "i8", "i16", "i32", "i64"]
FLOATS = ["f16", "bf16", "f32", "f64"]
ALL = ["b8"] + INTS + FLOATS


def corners(name):
    """Values where things go wrong, then a few ordinary ones."""
    dtype = DTYPES[name]
    if name == "b8":
        v = [False, True]
    elif name in INTS:
        info = torch.iinfo(dtype)
        v = [0, 1, 2, 3, 5, 7, info.max, info.min, info.max - 1]
        v += [-1, -2, -3, -7] if info.min < 0 else [100, 200, 128, 64]
    else:
        info = torch.finfo(dtype)
        sub = {"f16": 6e-8, "bf16": 9.2e-41, "f32": 1.4e-45, "f64": 5e-324}[name]
        v = [0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -3.0, info.max, -info.max,
             info.tiny, -info.tiny, sub, -sub, 0.1, -0.3, 7.25, 20.0, -20.0, 100.0, -88.0, 1e-3]
    return torch.tensor(v, dtype=dtype)


def complex_corners(name):
    v = [0, 1, -1, 1j, -1j, 1 + 2j, -0.5 + 0.25j, 3 - 4j, 0.1 - 2j, -2 - 2j]
    return torch.tensor(v, dtype=DTYPES[name])


def pairs(name):
    """Every pair of the corner values that matter most."""
    v = corners(name)
    if name in FLOATS:
        v = v[[0, 1, 2, 3, 4, 5, 8, 10, 11, 14, 18, 21]]
    a, b = torch.meshgrid(v, v, indexing="ij")
    return a.reshape(-1), b.reshape(-1)


def bits(t):
    t = t.resolve_conj().contiguous()
    raw = t.view(torch.uint8).numpy().tobytes() if t.dtype is not torch.bool else t.to(torch.uint8).numpy().tobytes()
    size = t.element_size()
    return ",".join(raw[i:i + size].hex() for i in range(0, len(raw), size))


INPUTS = {}


def reference(out, x):
    """The name of an input tensor; writes its line when it is new."""
    data = f"{NAMES[x.dtype]}:{bits(x)}"
    if data not in INPUTS:
        INPUTS[data] = f"@{len(INPUTS)}"
        out.write(f"{INPUTS[data]}|{data}\n")
    return INPUTS[data]


def text(out, x, key=None):
    head = key if key else ""
    if isinstance(x, torch.Tensor):
        return f"{head}{reference(out, x)}"
    if isinstance(x, torch.dtype):
        return f"{head}={x}"
    return f"{head}={x!r}"


def emit(out, overload, accuracy, args, kwargs=None):
    """One case; a combination that PyTorch refuses is left out (what scanc refuses is lint's business)."""
    kwargs = kwargs or {}
    packet, name = overload.split(".")
    try:
        y = getattr(getattr(torch.ops.aten, packet), name)(*[a.clone() if isinstance(a, torch.Tensor) else a for a in args], **kwargs)
    except Exception:
        return
    fields = [text(out, a) for a in args] + [text(out, v, k) for k, v in kwargs.items()]
    out.write(f"{overload}|{accuracy}|{';'.join(fields)}|{NAMES[y.dtype]}:{bits(y)}\n")


EXACT1 = "neg abs sign sgn relu ceil floor trunc round square bitwise_not logical_not isnan isinf sqrt signbit isposinf isneginf hardtanh relu6".split()
LIBM1 = ("exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf erfc sigmoid silu "
         "gelu softplus elu selu mish hardswish hardsigmoid log_sigmoid rsqrt reciprocal leaky_relu celu lgamma frac").split()
EXACT2 = ("add.Tensor sub.Tensor mul.Tensor div.Tensor maximum.default minimum.default fmax.default fmin.default eq.Tensor ne.Tensor "
          "lt.Tensor le.Tensor gt.Tensor ge.Tensor logical_and.default logical_or.default logical_xor.default bitwise_and.Tensor "
          "bitwise_or.Tensor bitwise_xor.Tensor remainder.Tensor fmod.Tensor copysign.Tensor").split()
LIBM2 = "pow.Tensor_Tensor atan2.default hypot.default logaddexp.default".split()
COMPLEX1 = "neg abs exp log sqrt sin cos tanh sigmoid reciprocal square sgn _conj angle".split()


ZERO_SIGN = ["maximum.default", "minimum.default", "fmax.default", "fmin.default"]


def drop(x, overload):
    """Without the elements on which PyTorch is wrong."""
    if x.is_complex() or not x.is_floating_point():
        return x
    if overload in ("erf.default", "gelu.default"):
        x = x[(x == 0) | ~(x.abs() <= 2 * torch.finfo(x.dtype).tiny)]
    if overload == "gelu.default":
        x = x[((x > -1.1) & (x <= 100)) | x.isnan()]
    return x


def ulps(name):
    """Distance allowed for functions that PyTorch and scanc take from different libraries. Half types are rounded
    from f32, where such a distance shows as at most one."""
    return {"f16": 1, "bf16": 1, "f32": 4, "f64": 4}.get(name, 4)


def unary(out):
    for op in EXACT1 + LIBM1:
        for name in ALL:
            if op == "square" and name == "b8":
                continue  # PyTorch gives i64; scanc refuses
            exact = op in EXACT1 and not (op == "sqrt" and name not in FLOATS)
            emit(out, f"{op}.default", 0 if exact else ulps(name), [drop(corners(name), f"{op}.default")])
    for op in COMPLEX1:
        for name in ["c64", "c128"]:
            emit(out, f"{op}.default", "0z" if op in ("neg", "_conj") else 16, [complex_corners(name)])


def binary(out):
    for op in EXACT2 + LIBM2:
        for name in ALL:
            a, b = pairs(name)
            if op in ("remainder.Tensor", "fmod.Tensor") and name in INTS + ["b8"]:
                a, b = a[b != 0], b[b != 0]
            if op in ("remainder.Tensor", "fmod.Tensor") and name in FLOATS:
                keep = ~((b != 0) & (b.abs() < torch.finfo(b.dtype).tiny)) & ~((a.abs() > 1e4) & a.isfinite())
                a, b = a[keep], b[keep]
            if op == "pow.Tensor_Tensor" and name in INTS:
                a, b = a[(b >= 0)], b[(b >= 0)]
            emit(out, op, "0z" if op in ZERO_SIGN else 0 if op in EXACT2 else ulps(name), [a, b])
    for name in INTS:
        a, b = pairs(name)
        a, b = a[b != 0], b[b != 0]
        keep = ~((a == torch.iinfo(a.dtype).min) & (b == -1)) if name != "u8" else torch.ones_like(a, dtype=torch.bool)
        emit(out, "floor_divide.default", 0, [a[keep], b[keep]])
        emit(out, "div.Tensor_mode", 0, [a[keep], b[keep]], {"rounding_mode": "trunc"})
        width = torch.iinfo(a.dtype).bits
        ok = (b >= 0) & (b < width)
        emit(out, "bitwise_left_shift.Tensor", 0, [a[ok], b[ok]])
        emit(out, "bitwise_right_shift.Tensor", 0, [a[ok], b[ok]])
    for name in FLOATS:
        a, b = pairs(name)
        emit(out, "floor_divide.default", 0, [a, b])
        emit(out, "div.Tensor_mode", 0, [a, b], {"rounding_mode": "trunc"})
        emit(out, "div.Tensor_mode", 0, [a, b], {"rounding_mode": "floor"})
    for op in ["add.Tensor", "sub.Tensor", "mul.Tensor", "div.Tensor"]:
        for name in ["c64", "c128"]:
            v = complex_corners(name)
            a, b = torch.meshgrid(v, v, indexing="ij")
            a, b = a.reshape(-1), b.reshape(-1)
            if op == "div.Tensor":
                a, b = a[b != 0], b[b != 0]
            emit(out, op, "0z" if op in ("add.Tensor", "sub.Tensor") else 8, [a, b])


def with_numbers(out):
    for name in ALL:
        x = corners(name)
        for s in [2, -1, 0.5]:
            for op in ["add.Tensor", "sub.Tensor", "mul.Tensor", "rsub.Scalar", "eq.Scalar", "lt.Scalar", "ge.Scalar"]:
                emit(out, op, 0, [x, s])
            emit(out, "div.Tensor", 0, [x, s])
            finite = x if name not in FLOATS else x[~(x.abs() > 1e4)]
            emit(out, "remainder.Scalar", 0, [finite, s])
            emit(out, "fmod.Scalar", 0, [finite, s])
            emit(out, "clamp.default", 0, [x, -s, s] if s > 0 else [x, s, -s])
            emit(out, "clamp_min.default", 0, [x, s])
            emit(out, "clamp_max.default", 0, [x, s])
        small = x if name not in FLOATS else x[~(x.abs() > 1e4) | x.isinf()]
        emit(out, "add.Tensor", 0, [small, small], {"alpha": 4})
        emit(out, "sub.Tensor", 0, [small, small], {"alpha": 2})
        for e in [0, 1, 2, 3, -1, 0.5, -2, 2.5]:
            y = x[x != -math.inf] if e == 0.5 else x
            emit(out, "pow.Tensor_Scalar", ulps(name), [y, e])
        emit(out, "pow.Scalar", ulps(name), [2, x])
        emit(out, "leaky_relu.default", 0, [x, 0.25])
        emit(out, "elu.default", ulps(name), [x, 0.5])
        emit(out, "softplus.default", ulps(name), [x, 2.0, 10.0])
        emit(out, "threshold.default", 0, [x, 0.5, 9.0])
        emit(out, "gelu.default", ulps(name), [x[~(x < -1.1)]], {"approximate": "tanh"})


def selects_and_casts(out):
    for name in ALL:
        a, b = pairs(name)
        cond = torch.arange(a.numel()) % 3 == 0
        emit(out, "where.self", 0, [cond, a, b])
        emit(out, "masked_fill.Scalar", 0, [a, cond, 1])
    for name in ALL:
        x = corners(name)
        for to, dtype in DTYPES.items():
            if name in FLOATS and to in INTS:
                continue  # out of range is undefined in C++; tests/ops.c has the values scanc defines
            emit(out, "_to_copy.default", 0, [x], {"dtype": dtype})
    for a in ALL:
        for b in ALL:
            if a != b:
                x, y = corners(a)[:5], corners(b)[:2].repeat(3)[:5]
                emit(out, "add.Tensor", 0, [x[: len(y)], y[: len(x)]])
                emit(out, "mul.Tensor", 0, [x[: len(y)], y[: len(x)]])


def main():
    path = sys.argv[1]
    with open(path, "w") as out:
        out.write(f"# made by tests/tools/gen_op_cases.py with torch {torch.__version__.split('+')[0]}\n")
        unary(out)
        binary(out)
        with_numbers(out)
        selects_and_casts(out)


if __name__ == "__main__":
    main()
