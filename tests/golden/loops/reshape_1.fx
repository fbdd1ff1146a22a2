# test: print --form=loops
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[s1, 96]", x: "f32[s3, 12*s1, 8]", w: "f32[s1, 12]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [x], (w,))
        getitem: "f32[s1, 96]" = scan[0]
        getitem_1: "f32[s3, 96*s1]" = scan[1]
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[s1, 96]", x: "f32[12*s1, 8]", w: "f32[s1, 12]"):
            view: "f32[s1, 12, 8]" = torch.ops.aten.view.default(c, [-1, 12, 8])
            view_1: "f32[s1, 12, 8]" = torch.ops.aten.view.default(x, [-1, 12, 8])
            unsqueeze: "f32[s1, 12, 1]" = torch.ops.aten.unsqueeze.default(w, 2)
            mul: "f32[s1, 12, 8]" = torch.ops.aten.mul.Tensor(view, unsqueeze)
            add: "f32[s1, 12, 8]" = torch.ops.aten.add.Tensor(mul, view_1)
            view_2: "f32[s1, 96]" = torch.ops.aten.view.default(add, [-1, 96])
            view_3: "f32[96*s1]" = torch.ops.aten.view.default(add, [-1])
            return [view_2, view_3]
# ----
# x86-64-v3, contiguous operands
kernel scanc_k_scan(length, outer0, lanes, c.o0, x.t, x.o0, last0.o0, y0.t, y0.o0)
  in c: f32[outer0, 8] strides [c.o0, 1]
  in x: f32[length, outer0, 8] strides [x.t, x.o0, 1]
  in w: f32[outer0] strides [1]
  out last0: f32[outer0, 8] strides [last0.o0, 1]
  out y0: f32[length, outer0, 8] strides [y0.t, y0.o0, 1]
  for o0 < outer0 parallel
    for i < 8 parallel lanes 8 unroll 1
      %0.c: f32 = load c[o0, i]
      %1.w: f32 = load w[o0]
      for t < length sequential carry %2.c = %0.c
        %4.mul: f32 = mul.f32 %2.c, %1.w
        %5.x: f32 = load x[t, o0, i]
        %6.add: f32 = add.f32 %4.mul, %5.x
        store y0[t, o0, i] = %6.add
        next %2.c = %6.add, last %3.last0
      store last0[o0, i] = %3.last0
