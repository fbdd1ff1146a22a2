# test: run x=arange y=ones
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[1, 2, 3]", y: "f32[2, 1, 3]"):
        cosine_similarity: "f32[2, 3]" = torch.ops.aten.cosine_similarity.default(x, y, -2)
        return (cosine_similarity,)
# ----
out.0 cosine_similarity: f32[2, 3]  0.707106769, 0.857492983, 0.919144988, 0.707106769 ...  min 0.707107, max 0.919145
