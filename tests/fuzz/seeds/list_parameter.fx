class GraphModule(torch.nn.Module):
    def forward(self, x, d, k):
        x: "f32[2, 3]"; d_y_0: "f32[3]"; k: "[1]"; 
    
        x, d_y_0, k, = fx_pytree.tree_flatten_spec(([x, d], {'k':k}), )
      #   No model.py found for following nodes
        lin_weight: "f32[3, 3]" = self.lin.weight
        lin_bias: "f32[3]" = self.lin.bias
        
         # File: model.py:80 in File, code: def forward(s,x,d,*,k=None): mul_1 {"o":s.lin(torch.ops.aten.mulT.ensor)+d["y"][0]},k
        linear: "0[2, 3]" = torch.ops.aten.linear.default(x, lin_weight, None);  x = lin_weight = lin_bias = None
        add: "f32[2, 3]" = torch.ops.aten.add.Tensor(linear, d_y_0);  linear = d_y_0 = None
        return pytree.tree_unflatten((add, k), USER_OUTPUT)
        
