# test: check
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]"):
        unused = self.dropout(x)
        linear: "f32[2]" = self.linear(x)
        return (linear,)
# ----
<stdin>:5:9: error: unsupported: 'linear' calls the module 'self.linear', whose code is not in the text; export the model with torch.export to inline it
            linear: "f32[2]" = self.linear(x)
            ^
exit 1
