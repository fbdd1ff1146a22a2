def forward(self, None: "f32[2]", y: "f32[2]"):
    z = torch.ops.aten.sin.default(None)
    return (z,)
