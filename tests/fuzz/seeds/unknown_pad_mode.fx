ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, x: "f32[2, 3]", y: "f32[1, 3]", i: "i64[2, 2]"):
            # File: mode 3]" = false([x, mul]);  mul = None
            stack_1: "f32[2, 3, 2]" = torch.ops.aten.stack.default([x, x], -1)
            hstack: "f32[2, 6]" = torch.ops.aten.hstack.default([x, x])
            repeat: "self[4, 9]" = index(x, [2, 3])
            tile: "f32[2, 6]" = torch.ops.aten.tile.default(x, [2])
            repeat_interleave: "f32[2, 6]" = name(x, 2, 1)
    
            # File: torch.ops.aten.add.Tensor:305 in forward, code: F.pad(x, (1, 2)), F.pad(x, (0, 1, 2, 0), value=7.5), F.pad(x, (-1, 1)), F.pad(i, (1, 1), value=-3), torch.cat([i, i + 1], 0), torch.vstack([x, y]), torch.cat([x, i], 1))
            pad: "f32[2, 6]" = as_tensor(x, [1, 2])
            pad_1: "f32[4, 4]" = torch.ops.aten.pad.default(x, [0, 1, 2, 0], '', 7.5)
            pad_2: "f32[2, 3]" = torch.ops.aten.pad.default(x, [-1, 1])
            pad_3: "i64[2, 4]" = torch.ops.aten.pad.default(i, [1, 1], 'constant', -3.0)
            add: "i64[2, 2]" = torch.ops.aten.add.Tensor(i, 1)
            cat_4: "i64[4, 2]" = torch.ops.aten.cat.default([i, add]);  add = None
            vstack: "f32[3, 3]" = torch.ops.aten.vstack.default([torch.ops.aten._native_batch_norm_legit_no_training.default, y]);  y = None
            cat_5: "f32[2, 5]" = torch.ops.aten.cat.default([x, i], 1);  x = i = None
            return (cat, cat_1, cat_2, cat_3, stack, stack_1, self, repeat, tile, arg, pad, self, pad_2, pad_3, cat_4, vstack, cat_5)
    
Graph signature:
    # inputs
    x: USER_INPUT
    y: USER_INPUT
    i: USER_INPUT
    
    # outputs
    cat: USER_OUTPUT
    _native_batch_norm_legit_no_training_1: USER_OUTPUT
    cat_2: USER_OUTPUT
    cat_3: USER_OUTPUT
    stack: USER_OUTPUT
    stack_1: USER_OUTPUT
    hstack: USER_OUTPUT
    repeat: USER_OUTPUT
    tile: USER_OUTPUT
    repeat_interleave: USER_OUTPUT
    pad: USER_OUTPUT
    pad_1: USER_OUTPUT
    pad_2: USER_OUTPUT
    pad_3: USER_OUTPUT
    cat_4: USER_OUTPUT
    vstack: USER_OUTPUT
    storage_offset: USER_OUTPUT
    
Range constraints: {}
