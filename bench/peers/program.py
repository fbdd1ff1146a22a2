"""The program of a case, which is Python text as PyTorch prints it, run by other array libraries.

load(text, torch) executes the text with a namespace in place of the module torch and returns the
program as a function of its inputs. Array(xp) is such a namespace over NumPy or jax.numpy; the scans
are given by the peer."""

import math
import re
import types

import numpy as np


class Module:
    """Stands for torch.nn.Module: calling it calls forward."""

    def __call__(self, *args):
        return self.forward(*args)


def _instance(cls):
    """A module with an instance of every class nested in it, which is how subgraphs are printed."""
    module = cls()
    for name, member in list(vars(cls).items()):
        if isinstance(member, type):
            delattr(cls, name)  # or it would be found before the instance
            setattr(module, name, _instance(member))
    return module


def load(text, torch):
    start = text.index("class GraphModule")
    first = text.rindex("\n", 0, start) + 1 if "\n" in text[:start] else 0
    indent = start - first
    lines = []
    for line in text[first:].splitlines():
        if line.strip() and len(line) - len(line.lstrip()) < indent:
            break  # what an exported program prints behind its module
        lines.append(line[indent:])
    namespace = dict(torch=torch, device=lambda type, index=None: None, inf=math.inf, nan=math.nan)
    exec(compile("\n".join(lines), "program.fx", "exec"), namespace)
    return _instance(namespace["GraphModule"])


PREFIXES = dict(add="cumsum", mul="cumprod", maximum="cummax", minimum="cummin", logaddexp="logcumsumexp")


def prefix_of(text):
    """(name, axis, indices) of the cumulative operation that the program is, or None: an associative
    scan of one array whose combine function is one operation, or the operation itself. indices: the
    places of the extremes are a result too."""
    if len(parameters(text)) != 1:
        return None
    named = re.findall(r"aten\.(cum\w+|logcumsumexp)\.default\(\w+, (\d+)\)", text)
    if len(named) == 1 and text.count("aten.") == 1:
        return named[0][0], int(named[0][1]), "i64[" in text
    if text.count("higher_order.associative_scan") != 1:
        return None
    combine = text[text.rindex("    class "):]
    calls = re.findall(r"aten\.(\w+)", combine)
    arguments = parameters(combine)
    whole = len(calls) == 1 and len(arguments) == 2
    if not whole or calls[0] not in PREFIXES or f"({arguments[0]}, {arguments[1]})" not in combine:
        return None
    moved = re.search(r"movedim\.int\(\w+, (\d+), 0\)", text)
    return PREFIXES[calls[0]], int(moved.group(1)) if moved else 0, False


def accumulates_wide(text):
    """Is it the operation of PyTorch, which adds f32 up in f64? A scan of additions does not."""
    return "higher_order." not in text and re.search(r"aten\.(cumsum|cumprod|logcumsumexp)", text) and "f32" in text


def parameters(text):
    """The names of the program's inputs."""
    signature = re.search(r"def forward\(self, (.*?)\):", text, re.S)
    return re.findall(r"(\w+): \"", signature.group(1)) if signature else []


class _Overloads:
    """aten.add, aten.add.Tensor and so on are one function here: the arguments tell them apart."""

    def __init__(self, functions):
        self._functions = functions

    def __getattr__(self, name):
        if name not in self._functions:
            from protocol import Skip
            raise Skip(f"aten.{name} has no translation")
        return _Callable(self._functions[name])


class _Callable:
    def __init__(self, function):
        self._function = function

    def __call__(self, *args, device=None, layout=None, pin_memory=None, memory_format=None, **named):
        return self._function(*args, **named)

    def __getattr__(self, overload):
        if overload.startswith("__"):
            raise AttributeError(overload)
        return self


def namespace(functions, scan, associative_scan):
    """What the text calls torch."""
    higher_order = types.SimpleNamespace(scan=scan, associative_scan=associative_scan)
    names = dict(float32="float32", float64="float64", int32="int32", int64="int64", int16="int16", int8="int8",
                 uint8="uint8", bool="bool", complex64="complex64", complex128="complex128", strided=None,
                 preserve_format=None, contiguous_format=None)
    return types.SimpleNamespace(
        nn=types.SimpleNamespace(Module=Module),
        ops=types.SimpleNamespace(aten=_Overloads(functions), higher_order=higher_order), **names)


def _axes(dim):
    return tuple(dim) if isinstance(dim, (list, tuple)) else dim


def _index(rank, dim, what):
    return (slice(None),) * (dim % rank) + (what,)


def elementwise(xp):
    def sigmoid(a):
        return 1 / (1 + xp.exp(-a))

    def div(a, b, rounding_mode=None):
        if rounding_mode == "floor":
            return xp.floor_divide(a, b)
        return a / b if rounding_mode is None else xp.trunc(a / b)

    def clamp(a, min=None, max=None):
        a = a if min is None else xp.maximum(a, min)
        return a if max is None else xp.minimum(a, max)

    def scaled(function):
        return lambda a, b, alpha=1: function(a, b if alpha == 1 else alpha * b)

    return dict(
        add=scaled(lambda a, b: a + b),
        sub=scaled(lambda a, b: a - b),
        rsub=scaled(lambda a, b: b - a),
        mul=lambda a, b: a * b,
        div=div, true_divide=div,
        neg=lambda a: -a,
        reciprocal=lambda a: 1 / a,
        exp=xp.exp, exp2=xp.exp2, expm1=xp.expm1, log=xp.log, log2=xp.log2, log1p=xp.log1p, tanh=xp.tanh,
        sin=xp.sin, cos=xp.cos, sqrt=xp.sqrt,
        rsqrt=lambda a: 1 / xp.sqrt(a),
        abs=xp.abs, sigmoid=sigmoid,
        silu=lambda a: a * sigmoid(a),
        relu=lambda a: xp.maximum(a, 0),
        pow=lambda a, b: a**b,
        square=lambda a: a * a,
        softplus=lambda a, beta=1, threshold=20: xp.where(a * beta > threshold, a, xp.log1p(xp.exp(a * beta)) / beta),
        maximum=xp.maximum, minimum=xp.minimum, clamp=clamp,
        clamp_min=lambda a, b: xp.maximum(a, b),
        clamp_max=lambda a, b: xp.minimum(a, b),
        where=xp.where, logaddexp=xp.logaddexp,
        ge=lambda a, b: a >= b,
        gt=lambda a, b: a > b,
        le=lambda a, b: a <= b,
        lt=lambda a, b: a < b,
        eq=lambda a, b: a == b,
        ne=lambda a, b: a != b,
        logical_not=xp.logical_not, logical_and=xp.logical_and, logical_or=xp.logical_or,
        bitwise_and=lambda a, b: a & b,
        bitwise_or=lambda a, b: a | b,
        bitwise_xor=lambda a, b: a ^ b,
        bitwise_not=lambda a: ~a,
        isnan=xp.isnan, sign=xp.sign, floor=xp.floor, floor_divide=xp.floor_divide, remainder=xp.remainder,
        addcmul=lambda a, b, c, value=1: a + value * b * c,
        lerp=lambda a, b, w: a + w * (b - a))


def shapes(xp):
    def cut(a, dim=0, start=None, end=None, step=1):
        return a[_index(a.ndim, dim, slice(start, end, step))]

    def split(a, size, dim=0):
        extent = a.shape[dim]
        sizes = size if isinstance(size, (list, tuple)) else [min(size, extent - k) for k in range(0, extent, size)]
        ends = np.cumsum(sizes)
        return [cut(a, dim, int(e - n), int(e)) for e, n in zip(ends, sizes)]

    def expand(a, shape, implicit=False):
        lead = len(shape) - a.ndim
        return xp.broadcast_to(a, [a.shape[k - lead] if n == -1 else n for k, n in enumerate(shape)])

    def squeeze(a, dim=None):
        dims = range(a.ndim) if dim is None else dim if isinstance(dim, (list, tuple)) else [dim]
        return xp.squeeze(a, tuple(d for d in dims if a.shape[d] == 1))

    def same(a, *_, dtype=None):
        return a if dtype is None else xp.asarray(a).astype(dtype)

    def reshape(a, *shape):
        return xp.reshape(a, shape[0] if isinstance(shape[0], (list, tuple)) else shape)

    return dict(
        clone=same, detach=same, alias=same, contiguous=same, _to_copy=same, lift_fresh_copy=same,
        to=lambda a, dtype, *_: same(a, dtype=dtype),
        select=lambda a, dim, k: a[_index(a.ndim, dim, k)],
        select_copy=lambda a, dim, k: a[_index(a.ndim, dim, k)],
        slice=cut, split=split, split_with_sizes=split,
        chunk=lambda a, n, dim=0: split(a, -(-a.shape[dim] // n), dim),
        narrow=lambda a, dim, start, n: cut( a, dim, start, start + n),
        unbind=lambda a, dim=0: [a[_index(a.ndim, dim, k)] for k in range(a.shape[dim])],
        unsqueeze=lambda a, dim: xp.expand_dims(a, dim),
        squeeze=squeeze, view=reshape, reshape=reshape, _unsafe_view=reshape, view_copy=reshape,
        flatten=lambda a, start=0, end=-1: reshape( a, a.shape[:start] + (-1,) + a.shape[end % a.ndim + 1:]),
        permute=lambda a, dims: xp.transpose(a, dims),
        transpose=lambda a, i, j: xp.swapaxes(a, i, j),
        t=lambda a: xp.transpose(a),
        mT=lambda a: xp.swapaxes(a, -1, -2),
        movedim=lambda a, i, j: xp.moveaxis(a, i, j),
        flip=lambda a, dims: xp.flip(a, _axes(dims)),
        expand=expand,
        cat=lambda xs, dim=0: xp.concatenate(list(xs), dim),
        stack=lambda xs, dim=0: xp.stack(list(xs), dim),
        zeros=lambda shape, dtype="float32": xp.zeros(shape, dtype),
        ones=lambda shape, dtype="float32": xp.ones(shape, dtype),
        full=lambda shape, value, dtype="float32": xp.full(shape, value, dtype),
        scalar_tensor=lambda value, dtype="float32": xp.asarray(value, dtype),
        zeros_like=lambda a, dtype=None: xp.zeros_like(a, dtype),
        ones_like=lambda a, dtype=None: xp.ones_like(a, dtype),
        full_like=lambda a, value, dtype=None: xp.full_like(a, value, dtype),
        eye=lambda n, dtype="float32": xp.eye(n, dtype=dtype),
        arange=lambda *a, dtype="int64", **_: xp.arange(*a, dtype=dtype),
        real=xp.real, imag=xp.imag, conj=xp.conj,
        complex=lambda a, b: a + 1j * b,
        roll=lambda a, n, dims=None: xp.roll(a, _axes(n), _axes(dims)))


def reductions(xp):
    def with_axes(function):
        return lambda a, dim=None, keepdim=False, dtype=None: function(
            a, axis=_axes(dim) if dim != [] else None, keepdims=keepdim)

    def logsumexp(a, dim, keepdim=False):
        top = xp.max(a, axis=_axes(dim), keepdims=True)
        top = xp.where(xp.isfinite(top), top, 0)
        total = xp.log(xp.sum(xp.exp(a - top), axis=_axes(dim), keepdims=True)) + top
        return total if keepdim else xp.squeeze(total, _axes(dim))

    def softmax(a, dim, half=False):
        e = xp.exp(a - xp.max(a, axis=dim, keepdims=True))
        return e / xp.sum(e, axis=dim, keepdims=True)

    def linear(a, w, b=None):
        y = xp.matmul(a, xp.swapaxes(w, -1, -2))
        return y if b is None else y + b

    return dict(
        sum=with_axes(xp.sum), mean=with_axes(xp.mean), amax=with_axes(xp.max), amin=with_axes(xp.min),
        prod=with_axes(xp.prod), logsumexp=logsumexp, softmax=softmax, _softmax=softmax, mm=xp.matmul,
        bmm=xp.matmul, matmul=xp.matmul, mv=xp.matmul, dot=xp.matmul, linear=linear,
        addmm=lambda c, a, b: c + xp.matmul(a, b),
        addmv=lambda c, a, b: c + xp.matmul(a, b),
        baddbmm=lambda c, a, b: c + xp.matmul(a, b),
        outer=xp.outer,
        einsum=lambda text, args: xp.einsum(text, *args),
        argmax=lambda a, dim=None, keepdim=False: xp.argmax(a, axis=dim, keepdims=keepdim))


def array_functions(xp):
    """aten by name over NumPy or jax.numpy, prefix operations excepted: those the peer adds."""
    return {**elementwise(xp), **shapes(xp), **reductions(xp)}
