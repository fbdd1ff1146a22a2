# test: print
class GraphModule(torch.nn.Module):
    def forward(self, x: "f64[3]"):
        a: "f64[3]" = torch.ops.aten.mul.Tensor(x, 5.9604644775390625e-08)
        b: "f64[3]" = torch.ops.aten.mul.Tensor(a, 5.6843418860808015e-14)
        c: "f64[3]" = torch.ops.aten.mul.Tensor(b, 5.3169119831396635e+36)
        d: "f64[3]" = torch.ops.aten.mul.Tensor(c, 2.2250738585072014e-308)
        e: "f64[3]" = torch.ops.aten.mul.Tensor(d, 4.9406564584124654e-324)
        f: "f64[3]" = torch.ops.aten.mul.Tensor(e, 8.9884656743115795e+307)
        g: "f64[3]" = torch.ops.aten.mul.Tensor(f, 0.1)
        h: "f64[3]" = torch.ops.aten.mul.Tensor(g, -9.5367431640625e-07)
        return (h,)
# ----
class GraphModule(torch.nn.Module):
    def forward(self, x: "f64[3]"):
        a: "f64[3]" = torch.ops.aten.mul.Tensor(x, 5.960464477539063e-08);  x = None
        b: "f64[3]" = torch.ops.aten.mul.Tensor(a, 5.684341886080802e-14);  a = None
        c: "f64[3]" = torch.ops.aten.mul.Tensor(b, 5.316911983139664e+36);  b = None
        d: "f64[3]" = torch.ops.aten.mul.Tensor(c, 2.2250738585072014e-308);  c = None
        e: "f64[3]" = torch.ops.aten.mul.Tensor(d, 5e-324);  d = None
        f: "f64[3]" = torch.ops.aten.mul.Tensor(e, 8.98846567431158e+307);  e = None
        g: "f64[3]" = torch.ops.aten.mul.Tensor(f, 0.1);  f = None
        h: "f64[3]" = torch.ops.aten.mul.Tensor(g, -9.5367431640625e-07);  g = None
        return (h,)
