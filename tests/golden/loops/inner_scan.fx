# test: print --form=loops
class GraphModule(torch.nn.Module):
    def forward(self, init: "f32[]", xs: "f32[100, 3]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init], [xs], ())
        getitem: "f32[]" = scan[0]
        getitem_1: "f32[100, 3]" = scan[1]
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[]", x: "f32[3]"):
            scan_combine_graph_0 = self.scan_combine_graph_0
            scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [x], ())
            getitem: "f32[]" = scan[0]
            getitem_1: "f32[3]" = scan[1]
            return [getitem, getitem_1]

        class scan_combine_graph_0(torch.nn.Module):
            def forward(self, c: "f32[]", x: "f32[]"):
                mul: "f32[]" = torch.ops.aten.mul.Tensor(c, x)
                clone: "f32[]" = torch.ops.aten.clone.default(mul)
                return [mul, clone]
# ----
# x86-64-v3, contiguous operands
kernel scanc_k_scan(length, x.t, y0.t)
  in c: f32[] strides []
  in x: f32[length] strides [x.t]
  out last0: f32[] strides []
  out y0: f32[length] strides [y0.t]
  %0.c: f32 = load c[]
  for t < length sequential carry %1.c = %0.c
    %3.x: f32 = load x[t]
    %4.mul: f32 = mul.f32 %1.c, %3.x
    store y0[t] = %4.mul
    next %1.c = %4.mul, last %2.last0
  store last0[] = %2.last0
kernel scanc_k_scan(length, x.t, x.d1, y0.t, y0.d1)
  in c: f32[] strides []
  in x: f32[length, 3] strides [x.t, x.d1]
  out last0: f32[] strides []
  out y0: f32[length, 3] strides [y0.t, y0.d1]
  %0.c: f32 = load c[]
  for t < length sequential carry %1.c = %0.c
    %3.x: f32 = load x[t, 0]
    %4.mul: f32 = mul.f32 %1.c, %3.x
    store y0[t, 0] = %4.mul
    %5.x: f32 = load x[t, 1]
    %6.mul: f32 = mul.f32 %4.mul, %5.x
    store y0[t, 1] = %6.mul
    %7.x: f32 = load x[t, 2]
    %8.mul: f32 = mul.f32 %6.mul, %7.x
    store y0[t, 2] = %8.mul
    next %1.c = %8.mul, last %2.last0
  store last0[] = %2.last0
