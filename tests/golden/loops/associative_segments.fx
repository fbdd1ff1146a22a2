# test: print --form=loops
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0]"):
        associative_scan_combine_graph_0 = self.associative_scan_combine_graph_0
        associative_scan = torch.ops.higher_order.associative_scan(associative_scan_combine_graph_0, [x], ())
        getitem: "f32[s0]" = associative_scan[0]
        return (getitem,)

    class associative_scan_combine_graph_0(torch.nn.Module):
        def forward(self, l: "f32[]", r: "f32[]"):
            logaddexp: "f32[]" = torch.ops.aten.logaddexp.default(l, r)
            return [logaddexp]
# ----
# x86-64-v3, contiguous operands
kernel scanc_k_associative_scan(steps, l.t, y0.t)
  in l: f32[steps + 1] strides [l.t]
  out y0: f32[steps + 1] strides [y0.t]
  %0.r: f32 = load l[0]
  store y0[0] = %0.r
  for t < steps prefix network of 8 behind blocks of 32 segments, cut by 32768 carry %1.l = %0.r
    %3.r: f32 = load l[t + 1]
    %4.logaddexp: f32 = logaddexp.f32 %1.l, %3.r
    store y0[t + 1] = %4.logaddexp
    next %1.l = %4.logaddexp, item %3.r, last %2
