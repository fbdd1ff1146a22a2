"""ONNX Runtime: the program as an ONNX model (a Scan operator per scan), and CumSum, GRU and LSTM.

The models are made here and run by ort.cc, through the C library that the wheel brings along:
SCANC_ONNXRUNTIME names another one."""

import glob
import json
import os
import shutil
import subprocess
import tempfile

import numpy as np
import onnx
import onnxruntime as ort
from onnx import helper, numpy_helper

import program
from protocol import Elsewhere, Skip, Variant

HERE = os.path.dirname(os.path.abspath(__file__))
OPSET = 18
THREADS = 1
# At some microseconds a step, more would take minutes and say nothing new.
MOST_STEPS = 200000


def version():
    return ort.__version__


def set_threads(count):
    global THREADS
    THREADS = count


class Value:
    """A tensor of the model under construction."""

    def __init__(self, graph, name, shape, dtype):
        self.graph, self.name, self.shape, self.dtype = graph, name, tuple(shape), np.dtype(dtype)

    @property
    def ndim(self):
        return len(self.shape)


class Graph:
    """Nodes of the model or of one body; names are unique in the whole model."""

    count = 0

    def __init__(self):
        self.nodes = []

    @staticmethod
    def fresh():
        Graph.count += 1
        return f"v{Graph.count}"

    def node(self, op, inputs, shapes, dtype, **attributes):
        names = [self.fresh() for _ in shapes]
        self.nodes.append(helper.make_node(op, [i.name for i in inputs], names, **attributes))
        return [Value(self, name, shape, dtype) for name, shape in zip(names, shapes)]

    def constant(self, array):
        array = np.asarray(array)
        name = self.fresh()
        self.nodes.append(helper.make_node("Constant", [], [name], value=numpy_helper.from_array(array)))
        return Value(self, name, array.shape, array.dtype)


# The graph that is being built: bodies of Scan are built while the graph around them waits.
current = [None]


def emit(op, *inputs, shape=None, dtype=None, **attributes):
    values = operands(inputs)
    shape = np.broadcast_shapes(*[v.shape for v in values]) if shape is None else shape
    return current[0].node(op, values, [shape], values[0].dtype if dtype is None else dtype, **attributes)[0]


def operands(inputs):
    """Numbers among them become constants of the type of the first tensor."""
    dtype = next(v.dtype for v in inputs if isinstance(v, Value))
    return [v if isinstance(v, Value) else current[0].constant(np.asarray(v, dtype)) for v in inputs]


def integers(values):
    return current[0].constant(np.asarray(values, np.int64))


def elementwise_functions():
    def one(op):
        return lambda a: emit(op, a)

    def two(op):
        return lambda a, b: emit(op, a, b)

    def test(op):
        return lambda a, b: emit(op, a, b, dtype=bool)

    def scaled(op):
        return lambda a, b, alpha=1: emit(op, a, b if alpha == 1 else emit("Mul", b, alpha))

    names = dict(exp="Exp", log="Log", tanh="Tanh", sigmoid="Sigmoid", neg="Neg", sqrt="Sqrt", reciprocal="Reciprocal",
                 abs="Abs", sin="Sin", cos="Cos", relu="Relu", floor="Floor", clone="Identity", alias="Identity",
                 detach="Identity", logical_not="Not")
    table = {name: one(op) for name, op in names.items()}
    table.update({name: two(op) for name, op in dict(
        mul="Mul", div="Div", maximum="Max", minimum="Min", pow="Pow", logical_and="And", logical_or="Or").items()})
    table.update({name: test(op) for name, op in dict(
        ge="GreaterOrEqual", gt="Greater", le="LessOrEqual", lt="Less", eq="Equal").items()})
    table.update(
        add=scaled("Add"), sub=scaled("Sub"), rsub=lambda a, b: emit("Sub", b, a),
        # Not as exact as expm1 near 0: ONNX has no such operator.
        expm1=lambda a: emit("Sub", emit("Exp", a), 1), log1p=lambda a: emit("Log", emit("Add", a, 1)),
        rsqrt=lambda a: emit("Reciprocal", emit("Sqrt", a)), silu=lambda a: emit("Mul", a, emit("Sigmoid", a)),
        ne=lambda a, b: emit("Not", emit("Equal", a, b, dtype=bool)), where=where, logaddexp=logaddexp,
        to=cast)
    return table


def cast(a, dtype, *_):
    return emit("Cast", a, dtype=dtype, to=helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))


def where(condition, a, b):
    a, b = operands([a, b])
    shape = np.broadcast_shapes(condition.shape, a.shape, b.shape)
    return current[0].node("Where", [condition, a, b], [shape], a.dtype)[0]


def logaddexp(a, b):
    top = emit("Max", a, b)
    terms = [emit("Exp", emit("Sub", x, top)) for x in (a, b)]
    return emit("Add", top, emit("Log", emit("Add", *terms)))


def split(a, count, dim=0):
    dim %= a.ndim
    sizes = list(a.shape)
    sizes[dim] //= count
    if sizes[dim] * count != a.shape[dim]:
        raise Skip("a chunk of another size than the rest")
    return current[0].node("Split", [a], [sizes] * count, a.dtype, axis=dim, num_outputs=count)


def select(a, dim, index):
    dim %= a.ndim
    shape = a.shape[:dim] + a.shape[dim + 1:]
    return current[0].node("Gather", [a, integers(index)], [shape], a.dtype, axis=dim)[0]


def slice_(a, dim=0, start=0, end=None, step=1):
    dim %= a.ndim
    start, stop, _ = slice(start, end, step).indices(a.shape[dim])
    shape = a.shape[:dim] + (len(range(start, stop, step)),) + a.shape[dim + 1:]
    bounds = [integers([v]) for v in (start, stop, dim, step)]
    return current[0].node("Slice", [a, *bounds], [shape], a.dtype)[0]


def flip(a, dims):
    for dim in dims:
        bounds = [integers([v]) for v in (-1, -2**62, dim, -1)]
        a = current[0].node("Slice", [a, *bounds], [a.shape], a.dtype)[0]
    return a


def reshape(a, shape):
    shape = np.empty(a.shape, "b").reshape(shape).shape
    return current[0].node("Reshape", [a, integers(shape)], [shape], a.dtype)[0]


def unsqueeze(a, dim):
    dim %= a.ndim + 1
    return reshape(a, a.shape[:dim] + (1,) + a.shape[dim:])


def squeeze(a, dim):
    return reshape(a, a.shape[:dim % a.ndim] + a.shape[dim % a.ndim + 1:])


def permute(a, dims):
    dims = [d % a.ndim for d in dims]
    return emit("Transpose", a, shape=[a.shape[d] for d in dims], perm=dims)


def movedim(a, source, target):
    dims = [d for d in range(a.ndim) if d != source % a.ndim]
    dims.insert(target % a.ndim, source % a.ndim)
    return permute(a, dims)


def transpose(a, i, j):
    dims = list(range(a.ndim))
    dims[i], dims[j] = dims[j], dims[i]
    return permute(a, dims)


def cat(values, dim=0):
    values = operands(values)
    dim %= values[0].ndim
    shape = list(values[0].shape)
    shape[dim] = sum(v.shape[dim] for v in values)
    return current[0].node("Concat", values, [shape], values[0].dtype, axis=dim)[0]


def expand(a, shape):
    shape = np.broadcast_shapes(a.shape, [1 if n == -1 else n for n in shape])
    return current[0].node("Expand", [a, integers(shape)], [shape], a.dtype)[0]


def shape_functions():
    def full(shape, value, dtype="float32"):
        return current[0].constant(np.full(shape, value, dtype))

    return dict(
        chunk=split, split=lambda a, size, dim=0: split(a, a.shape[dim] // size, dim), select=select, slice=slice_,
        flip=flip, view=reshape, reshape=reshape, unsqueeze=unsqueeze, squeeze=squeeze, permute=permute,
        movedim=movedim, transpose=transpose, t=lambda a: transpose(a, 0, 1), cat=cat, expand=expand,
        unbind=lambda a, dim=0: [select(a, dim, k) for k in range(a.shape[dim])],
        stack=lambda values, dim=0: cat([unsqueeze(v, dim) for v in values], dim), full=full,
        zeros=lambda shape, dtype="float32": full(shape, 0, dtype),
        ones=lambda shape, dtype="float32": full(shape, 1, dtype),
        eye=lambda n, dtype="float32": current[0].constant(np.eye(n, dtype=dtype)),
        zeros_like=lambda a: full(a.shape, 0, a.dtype), ones_like=lambda a: full(a.shape, 1, a.dtype))


def reduction_functions():
    def reduce(op):
        def function(a, dim=None, keepdim=False):
            dims = range(a.ndim) if dim is None else dim if isinstance(dim, (list, tuple)) else [dim]
            dims = [d % a.ndim for d in dims]
            shape = [1 if d in dims else n for d, n in enumerate(a.shape) if keepdim or d not in dims]
            return current[0].node(op, [a, integers(dims)], [shape], a.dtype, keepdims=int(keepdim))[0]

        return function

    def matmul(a, b):
        shape = np.matmul(np.empty(a.shape, "b"), np.empty(b.shape, "b")).shape
        return emit("MatMul", a, b, shape=shape)

    def linear(a, w, b=None):
        if a.ndim == 2:
            return emit("Gemm", a, w, *([] if b is None else [b]), shape=(a.shape[0], w.shape[0]), transB=1)
        y = matmul(a, transpose(w, -2, -1))
        return y if b is None else emit("Add", y, b)

    def cumsum(a, dim):
        return current[0].node("CumSum", [a, integers(dim)], [a.shape], a.dtype)[0]

    return dict(sum=reduce("ReduceSum"), mean=reduce("ReduceMean"), amax=reduce("ReduceMax"), amin=reduce("ReduceMin"),
                logsumexp=reduce("ReduceLogSumExp"), matmul=matmul, mm=matmul, bmm=matmul, mv=matmul, linear=linear,
                addmm=lambda c, a, b: emit("Add", matmul(a, b), c), cumsum=cumsum)


def info(value):
    return helper.make_tensor_value_info(value.name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)


def body(function, arguments):
    """A subgraph for Scan that computes function(*arguments); its results have names of their own."""
    outer, current[0] = current[0], Graph()
    try:
        results = [emit("Identity", r) for r in function(*arguments)]
        graph = helper.make_graph(current[0].nodes, "body", [info(a) for a in arguments], [info(r) for r in results])
    finally:
        current[0] = outer
    return graph, results


def scan(combine, init, xs, extras):
    """Extras are names of the graph around the body."""
    if xs[0].shape[0] > MOST_STEPS:
        raise Skip(f"{xs[0].shape[0]} steps of the operator Scan")
    carries = [Value(None, Graph.fresh(), c.shape, c.dtype) for c in init]
    rows = [Value(None, Graph.fresh(), x.shape[1:], x.dtype) for x in xs]
    step, results = body(lambda *args: combine(*args, *extras), carries + rows)
    names = [Graph.fresh() for _ in results]
    current[0].nodes.append(helper.make_node("Scan", [v.name for v in [*init, *xs]], names, body=step,
                                             num_scan_inputs=len(xs)))
    return [Value(current[0], name, r.shape if i < len(init) else (xs[0].shape[0],) + r.shape, r.dtype)
            for i, (name, r) in enumerate(zip(names, results))]


def associative_scan(combine, xs, extras):
    """A left fold: ONNX has no other way to say it."""

    def step(*args):
        results = combine(*args)
        return [*results, *results]

    first = [select(x, 0, 0) for x in xs]
    rest = [slice_(x, 0, 1) for x in xs]
    ys = scan(step, first, rest, extras)[len(xs):]
    return [cat([slice_(x, 0, 0, 1), y]) for x, y in zip(xs, ys)]


def build(function, inputs, constants=()):
    """A model of function(*inputs, *constants) as bytes."""
    if any(x.dtype.kind == "c" for x in inputs):
        raise Skip("ONNX has no arithmetic on complex numbers")
    current[0] = graph = Graph()
    values = [Value(graph, f"in{i}", x.shape, x.dtype) for i, x in enumerate(inputs)]
    fixed = [Value(graph, f"c{i}", x.shape, x.dtype) for i, x in enumerate(constants)]
    results = [emit("Identity", r) for r in function(*values, *fixed)]
    whole = helper.make_graph(graph.nodes, "model", [info(v) for v in values], [info(r) for r in results],
                              [numpy_helper.from_array(x, v.name) for x, v in zip(constants, fixed)])
    return helper.make_model(whole, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9).SerializeToString()


def library():
    named = os.environ.get("SCANC_ONNXRUNTIME")
    found = glob.glob(os.path.join(os.path.dirname(ort.__file__), "capi", "libonnxruntime.so*"))
    if not named and not found:
        raise Skip("the wheel has no C library; SCANC_ONNXRUNTIME names one")
    return named or found[0]


def output_types(model):
    """Name, shape and type of the results, which the model states."""
    for about in onnx.load_from_string(model).graph.output:
        tensor = about.type.tensor_type
        yield about.name, [d.dim_value for d in tensor.shape.dim], helper.tensor_dtype_to_np_dtype(tensor.elem_type)


def session(model, inputs, finish=lambda results: results):
    """What runs the model in a process of its own, and gives the results and the times."""
    program, lib = os.path.join(HERE, "build", "ort"), library()
    if not os.path.exists(program):
        raise Skip("build/ort is not there: install.sh onnxruntime makes it")

    def run(seconds, longest):
        place = tempfile.mkdtemp(prefix="scanc-bench-")
        try:
            with open(os.path.join(place, "model.onnx"), "wb") as f:
                f.write(model)
            for i, x in enumerate(inputs):
                np.save(os.path.join(place, f"in.{i}.npy"), np.array(x, order="C"))
            outputs = list(output_types(model))
            for i, (_, shape, dtype) in enumerate(outputs):
                np.save(os.path.join(place, f"out.{i}.npy"), np.zeros(shape, dtype))
            with open(os.path.join(place, "outputs"), "w") as f:
                f.writelines(name + "\n" for name, _, _ in outputs)
            done = subprocess.run([program, lib, place, str(seconds), str(THREADS)], capture_output=True, text=True,
                                  timeout=longest, check=False)
            if done.returncode:
                raise Skip(done.stderr.strip().splitlines()[-1][:300] if done.stderr.strip() else "its process failed")
            results = [np.fromfile(os.path.join(place, f"out.{i}.bin"), dtype).reshape(shape)
                       for i, (_, shape, dtype) in enumerate(outputs)]
            return finish(results), json.loads(done.stdout)["times_ns"]
        finally:
            shutil.rmtree(place)

    return Elsewhere(run)


def _program(case):
    functions = {**elementwise_functions(), **shape_functions(), **reduction_functions()}
    run = program.load(case.program(), program.namespace(functions, scan, associative_scan))
    return session(build(run, case.inputs), case.inputs)


def _cumsum(case, axis):
    cumsum = reduction_functions()["cumsum"]
    wide = program.accumulates_wide(case.program())

    def model(x):
        return [cast(cumsum(cast(x, "float64"), axis), x.dtype) if wide else cumsum(x, axis)]

    return session(build(model, case.inputs), case.inputs)


def _layer(case, op, order):
    """The operator GRU or LSTM with the weights as constants; order: where its gates stand in PyTorch's."""
    w_ih, w_hh, b_ih, b_hh, x, *carries = case.inputs
    hidden = w_hh.shape[1]
    parts = [np.split(w, len(order)) for w in (w_ih, w_hh, b_ih, b_hh)]
    w, r, wb, rb = [np.concatenate([p[k] for k in order])[None] for p in parts]
    weights = [w, r, np.concatenate([wb, rb], axis=1)]
    attributes = dict(hidden_size=hidden, **({"linear_before_reset": 1} if op == "GRU" else {}))
    t, b, h = x.shape[0], x.shape[1], hidden

    def layer(x, *rest):
        starts, (w, r, bias) = rest[:len(carries)], rest[len(carries):]
        nothing = Value(None, "", (), "f")
        shapes = [(t, 1, b, h)] + [(1, b, h)] * len(carries)
        ys, *last = current[0].node(op, [x, w, r, bias, nothing, *starts], shapes, x.dtype, **attributes)
        return [ys, *last]

    def finish(results):
        return [results[0][:, 0], *[c[0] for c in results[1:]]]

    inputs = [x, *[c[None] for c in carries]]
    return session(build(layer, inputs, weights), inputs, finish)


def variants(case):
    prefix = program.prefix_of(case.program())
    if prefix and prefix[0] == "cumsum":
        yield Variant("CumSum", lambda: _cumsum(case, prefix[1]))
    if prefix and "higher_order." not in case.program():
        return
    if case.name in ("gru", "tiny_gru"):
        yield Variant("GRU", lambda: _layer(case, "GRU", (1, 0, 2)), "weights are constants")
    if case.name.startswith("lstm"):
        yield Variant("LSTM", lambda: _layer(case, "LSTM", (0, 3, 1, 2)), "weights are constants")
    yield Variant("Scan" if "higher_order." in case.program() else "program", lambda: _program(case))
