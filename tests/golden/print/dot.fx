# test: print --form=dot
class GraphModule(torch.nn.Module):
    def forward(self, h: "f32[3]", xs: "f32[s0, 3]"):
        body = self.body
        scan = torch.ops.higher_order.scan(body, [h], [xs], ())
        getitem: "f32[3]" = scan[0]
        getitem_1: "f32[s0, 3]" = scan[1]
        return (getitem, getitem_1)

    class body(torch.nn.Module):
        def forward(self, h: "f32[3]", x: "f32[3]"):
            mul: "f32[3]" = torch.ops.aten.mul.Tensor(h, 0.5)
            add: "f32[3]" = torch.ops.aten.add.Tensor(mul, x)
            clone: "f32[3]" = torch.ops.aten.clone.default(add)
            return [add, clone]
# ----
digraph "<stdin>" {
  compound=true;
  node [shape=box, fontname="monospace"];
  subgraph cluster_0 {
    label="GraphModule";
    n6 [label="h\nplaceholder\nf32[3]"];
    n7 [label="xs\nplaceholder\nf32[s0, 3]"];
    n8 [label="body\nget_attr body\ngraph"];
    n9 [label="scan\nscan(body, [h], [xs], ())\n(f32[3], f32[s0, 3])"];
    n10 [label="getitem\ngetitem(scan, 0)\nf32[3]"];
    n11 [label="getitem_1\ngetitem(scan, 1)\nf32[s0, 3]"];
    n12 [label="output\noutput((getitem, getitem_1))\n(f32[3], f32[s0, 3])"];
    subgraph cluster_1 {
      label="body";
      n0 [label="h\nplaceholder\nf32[3]"];
      n1 [label="x\nplaceholder\nf32[3]"];
      n2 [label="mul\nmul(h, 0.5)\nf32[3]"];
      n3 [label="add\nadd(mul, x)\nf32[3]"];
      n4 [label="clone\nclone(add)\nf32[3]"];
      n5 [label="output\noutput([add, clone])\n(f32[3], f32[3])"];
    }
  }
  n8 -> n0 [lhead=cluster_1, style=dashed];
  n8 -> n9;
  n6 -> n9;
  n7 -> n9;
  n9 -> n10;
  n9 -> n11;
  n10 -> n12;
  n11 -> n12;
  n0 -> n2;
  n2 -> n3;
  n1 -> n3;
  n3 -> n4;
  n3 -> n5;
  n4 -> n5;
}
