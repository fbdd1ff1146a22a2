# test: print
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0, 2]"):
        n = torch.ops.aten.sym_size.int(x, 0)
        f = torch.sym_float(n)
        g = torch._sym_sqrt(f)
        h = g + 2.0
        k = -h
        m = h - k
        d = m / 3
        e = d * d
        b = e > 2
        c = torch.sym_not(b)
        s = x.sum()
        o = s.item()
        r = o + f
        q = x * e
        it = torch.sym_ite(b, n, 4)
        return (q, it, c)
# ----
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0, 2]"):
        n: "Sym(s0)" = torch.ops.aten.sym_size.int(x, 0)
        f: "Sym(ToFloat(s0))" = torch.sym_float(n)
        g: "Sym(OpaqueUnaryFn_sqrt(ToFloat(s0)))" = torch._sym_sqrt(f)
        h: "Sym(Add(OpaqueUnaryFn_sqrt(ToFloat(s0)), 2.0))" = g + 2.0;  g = None
        k: "Sym(Mul(-1, Add(OpaqueUnaryFn_sqrt(ToFloat(s0)), 2.0)))" = -h
        m: "Sym(Add(Add(OpaqueUnaryFn_sqrt(ToFloat(s0)), 2.0), Mul(-1, Mul(-1, Add(OpaqueUnaryFn_sqrt(ToFloat(s0)), 2.0)))))" = h - k;  h = k = None
        d: "Sym(FloatTrueDiv(Add(Add(OpaqueUnaryFn_sqrt(ToFloat(s0)), 2.0), Mul(-1, Mul(-1, Add(OpaqueUnaryFn_sqrt(ToFloat(s0)), 2.0)))), 3))" = m / 3;  m = None
        e: "Sym(Mul(FloatTrueDiv(Add(Add(OpaqueUnaryFn_sqrt(ToFloat(s0)), 2.0), Mul(-1, Mul(-1, Add(OpaqueUnaryFn_sqrt(ToFloat(s0)), 2.0)))), 3), FloatTrueDiv(Add(Add(OpaqueUnaryFn_sqrt(ToFloat(s0)), 2.0), Mul(-1, Mul(-1, Add(OpaqueUnaryFn_sqrt(ToFloat(s0)), 2.0)))), 3)))" = d * d;  d = None
        b: "Sym(Gt(Mul(FloatTrueDiv(Add(Add(OpaqueUnaryFn_sqrt(ToFloat(s0)), 2.0), Mul(-1, Mul(-1, Add(OpaqueUnaryFn_sqrt(ToFloat(s0)), 2.0)))), 3), FloatTrueDiv(Add(Add(OpaqueUnaryFn_sqrt(ToFloat(s0)), 2.0), Mul(-1, Mul(-1, Add(OpaqueUnaryFn_sqrt(ToFloat(s0)), 2.0)))), 3)), 2))" = e > 2
        c: "Sym(Not(Gt(Mul(FloatTrueDiv(Add(Add(OpaqueUnaryFn_sqrt(ToFloat(s0)), 2.0), Mul(-1, Mul(-1, Add(OpaqueUnaryFn_sqrt(ToFloat(s0)), 2.0)))), 3), FloatTrueDiv(Add(Add(OpaqueUnaryFn_sqrt(ToFloat(s0)), 2.0), Mul(-1, Mul(-1, Add(OpaqueUnaryFn_sqrt(ToFloat(s0)), 2.0)))), 3)), 2)))" = torch.sym_not(b)
        s: "f32[]" = x.sum()
        o = s.item();  s = None
        r = o + f;  o = f = r = None
        q: "f32[s0, 2]" = x * e;  x = e = None
        it = torch.sym_ite(b, n, 4);  b = n = None
        return (q, it, c)
