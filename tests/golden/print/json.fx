# test: print --form=json
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
{
 "format": "scanc",
 "version": 1,
 "name": "<stdin>",
 "inputs": [
  {
   "name": "h",
   "kind": "USER_INPUT",
   "target": null
  },
  {
   "name": "xs",
   "kind": "USER_INPUT",
   "target": null
  }
 ],
 "outputs": [
  {
   "name": "getitem",
   "kind": "USER_OUTPUT",
   "target": null
  },
  {
   "name": "getitem_1",
   "kind": "USER_OUTPUT",
   "target": null
  }
 ],
 "sizes": [
  {
   "size": "s0",
   "min": 0,
   "max": null
  }
 ],
 "graphs": [
  {
   "name": "GraphModule",
   "line": 3,
   "attributes": [
    {
     "name": "body",
     "kind": "graph",
     "graph": 1
    }
   ],
   "nodes": [
    {
     "name": "h",
     "kind": "placeholder",
     "target": "h",
     "op": null,
     "args": [],
     "kwargs": {},
     "type": {
      "text": "f32[3]",
      "dtype": "f32",
      "shape": [
       3
      ]
     },
     "line": 3
    },
    {
     "name": "xs",
     "kind": "placeholder",
     "target": "xs",
     "op": null,
     "args": [],
     "kwargs": {},
     "type": {
      "text": "f32[s0, 3]",
      "dtype": "f32",
      "shape": [
       "s0",
       3
      ]
     },
     "line": 3
    },
    {
     "name": "body",
     "kind": "get_attr",
     "target": "body",
     "op": null,
     "args": [],
     "kwargs": {},
     "graph": 1,
     "type": {
      "text": "graph"
     },
     "line": 4
    },
    {
     "name": "scan",
     "kind": "call_function",
     "target": "torch.ops.higher_order.scan",
     "op": "scan",
     "args": [
      {
       "node": "body"
      },
      [
       {
        "node": "h"
       }
      ],
      [
       {
        "node": "xs"
       }
      ],
      {
       "tuple": []
      }
     ],
     "kwargs": {},
     "operands": {
      "combine_fn": {
       "node": "body"
      },
      "init": [
       {
        "node": "h"
       }
      ],
      "xs": [
       {
        "node": "xs"
       }
      ],
      "additional_inputs": {
       "tuple": []
      },
      "mutated_arg_indices": null
     },
     "type": {
      "text": "(f32[3], f32[s0, 3])",
      "items": [
       {
        "text": "f32[3]",
        "dtype": "f32",
        "shape": [
         3
        ]
       },
       {
        "text": "f32[s0, 3]",
        "dtype": "f32",
        "shape": [
         "s0",
         3
        ]
       }
      ]
     },
     "line": 5
    },
    {
     "name": "getitem",
     "kind": "call_function",
     "target": "operator.getitem",
     "op": "getitem",
     "args": [
      {
       "node": "scan"
      },
      0
     ],
     "kwargs": {},
     "operands": {
      "self": {
       "node": "scan"
      },
      "index": 0
     },
     "type": {
      "text": "f32[3]",
      "dtype": "f32",
      "shape": [
       3
      ]
     },
     "line": 6
    },
    {
     "name": "getitem_1",
     "kind": "call_function",
     "target": "operator.getitem",
     "op": "getitem",
     "args": [
      {
       "node": "scan"
      },
      1
     ],
     "kwargs": {},
     "operands": {
      "self": {
       "node": "scan"
      },
      "index": 1
     },
     "type": {
      "text": "f32[s0, 3]",
      "dtype": "f32",
      "shape": [
       "s0",
       3
      ]
     },
     "line": 7
    },
    {
     "name": "output",
     "kind": "output",
     "target": null,
     "op": null,
     "args": [
      {
       "tuple": [
        {
         "node": "getitem"
        },
        {
         "node": "getitem_1"
        }
       ]
      }
     ],
     "kwargs": {},
     "type": {
      "text": "(f32[3], f32[s0, 3])",
      "items": [
       {
        "text": "f32[3]",
        "dtype": "f32",
        "shape": [
         3
        ]
       },
       {
        "text": "f32[s0, 3]",
        "dtype": "f32",
        "shape": [
         "s0",
         3
        ]
       }
      ]
     },
     "line": 8
    }
   ]
  },
  {
   "name": "body",
   "line": 11,
   "attributes": [],
   "nodes": [
    {
     "name": "h",
     "kind": "placeholder",
     "target": "h",
     "op": null,
     "args": [],
     "kwargs": {},
     "type": {
      "text": "f32[3]",
      "dtype": "f32",
      "shape": [
       3
      ]
     },
     "line": 11
    },
    {
     "name": "x",
     "kind": "placeholder",
     "target": "x",
     "op": null,
     "args": [],
     "kwargs": {},
     "type": {
      "text": "f32[3]",
      "dtype": "f32",
      "shape": [
       3
      ]
     },
     "line": 11
    },
    {
     "name": "mul",
     "kind": "call_function",
     "target": "torch.ops.aten.mul.Tensor",
     "op": "mul",
     "args": [
      {
       "node": "h"
      },
      0.5
     ],
     "kwargs": {},
     "operands": {
      "self": {
       "node": "h"
      },
      "other": 0.5
     },
     "type": {
      "text": "f32[3]",
      "dtype": "f32",
      "shape": [
       3
      ]
     },
     "line": 12
    },
    {
     "name": "add",
     "kind": "call_function",
     "target": "torch.ops.aten.add.Tensor",
     "op": "add",
     "args": [
      {
       "node": "mul"
      },
      {
       "node": "x"
      }
     ],
     "kwargs": {},
     "operands": {
      "self": {
       "node": "mul"
      },
      "other": {
       "node": "x"
      }
     },
     "type": {
      "text": "f32[3]",
      "dtype": "f32",
      "shape": [
       3
      ]
     },
     "line": 13
    },
    {
     "name": "clone",
     "kind": "call_function",
     "target": "torch.ops.aten.clone.default",
     "op": "clone",
     "args": [
      {
       "node": "add"
      }
     ],
     "kwargs": {},
     "operands": {
      "self": {
       "node": "add"
      }
     },
     "type": {
      "text": "f32[3]",
      "dtype": "f32",
      "shape": [
       3
      ]
     },
     "line": 14
    },
    {
     "name": "output",
     "kind": "output",
     "target": null,
     "op": null,
     "args": [
      [
       {
        "node": "add"
       },
       {
        "node": "clone"
       }
      ]
     ],
     "kwargs": {},
     "type": {
      "text": "(f32[3], f32[3])",
      "items": [
       {
        "text": "f32[3]",
        "dtype": "f32",
        "shape": [
         3
        ]
       },
       {
        "text": "f32[3]",
        "dtype": "f32",
        "shape": [
         3
        ]
       }
      ]
     },
     "line": 15
    }
   ]
  }
 ]
}
