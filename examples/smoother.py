"""Writes model.fx and in.*.npy for scanc."""
import numpy, torch
from torch._higher_order_ops.scan import scan

class Smoother(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.decay = torch.nn.Parameter(torch.tensor([0.9, 0.5, 0.1]))

    def forward(self, level, xs):
        def step(level, x):
            level = level + self.decay * (x - level)
            return level, level.clone()
        return scan(step, level, xs)

model, args = Smoother(), (torch.zeros(3), torch.randn(1000, 3))

ep = torch.export.export(model, args)
open("model.fx", "w").write(str(ep))
leaves = iter(torch.utils._pytree.tree_leaves((args, {})))
for spec in ep.graph_signature.input_specs:
    t = ep.state_dict.get(spec.target, ep.constants.get(spec.target)) if spec.target else next(leaves)
    numpy.save(f"in.{spec.arg.name}.npy", torch.as_tensor(t).detach().numpy())
