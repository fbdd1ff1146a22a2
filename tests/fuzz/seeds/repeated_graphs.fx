class GraphModule(torch.nn.Module):
 def forward(self, p: "b8[]", x: "f32[2]"):
  g = self.g
  c = torch.ops.higher_order.cond(p, g, g, (p, x))
  y: "f32[2]" = c[0]
  return (y,)
  class g(torch.nn.Module):
   def forward(self, p: "b8[]", x: "f32[2]"):
    g = self.g
    c = torch.ops.higher_order.cond(p, g, g, (p, x))
    y: "f32[2]" = c[0]
    return (y,)
    class g(torch.nn.Module):
     def forward(self, p: "b8[]", x: "f32[2]"):
      g = self.g
      c = torch.ops.higher_order.cond(p, g, g, (p, x))
      y: "f32[2]" = c[0]
      return (y,)
      class g(torch.nn.Module):
       def forward(self, p: "b8[]", x: "f32[2]"):
        g = self.g
        c = torch.ops.higher_order.cond(p, g, g, (p, x))
        y: "f32[2]" = c[0]
        return (y,)
        class g(torch.nn.Module):
         def forward(self, p: "b8[]", x: "f32[2]"):
          g = self.g
          c = torch.ops.higher_order.cond(p, g, g, (p, x))
          y: "f32[2]" = c[0]
          return (y,)
          class g(torch.nn.Module):
           def forward(self, p: "b8[]", x: "f32[2]"):
            g = self.g
            c = torch.ops.higher_order.cond(p, g, g, (p, x))
            y: "f32[2]" = c[0]
            return (y,)
            class g(torch.nn.Module):
             def forward(self, p: "b8[]", x: "f32[2]"):
              g = self.g
              c = torch.ops.higher_order.cond(p, g, g, (p, x))
              y: "f32[2]" = c[0]
              return (y,)
              class g(torch.nn.Module):
               def forward(self, p: "b8[]", x: "f32[2]"):
                g = self.g
                c = torch.ops.higher_order.cond(p, g, g, (p, x))
                y: "f32[2]" = c[0]
                return (y,)
                class g(torch.nn.Module):
                 def forward(self, p: "b8[]", x: "f32[2]"):
                  g = self.g
                  c = torch.ops.higher_order.cond(p, g, g, (p, x))
                  y: "f32[2]" = c[0]
                  return (y,)
                  class g(torch.nn.Module):
                   def forward(self, p: "b8[]", x: "f32[2]"):
                    g = self.g
                    c = torch.ops.higher_order.cond(p, g, g, (p, x))
                    y: "f32[2]" = c[0]
                    return (y,)
                    class g(torch.nn.Module):
                     def forward(self, p: "b8[]", x: "f32[2]"):
                      g = self.g
                      c = torch.ops.higher_order.cond(p, g, g, (p, x))
                      y: "f32[2]" = c[0]
                      return (y,)
                      class g(torch.nn.Module):
                       def forward(self, p: "b8[]", x: "f32[2]"):
                        g = self.g
                        c = torch.ops.higher_order.cond(p, g, g, (p, x))
                        y: "f32[2]" = c[0]
                        return (y,)
                        class g(torch.nn.Module):
                         def forward(self, p: "b8[]", x: "f32[2]"):
                          g = self.g
                          c = torch.ops.higher_order.cond(p, g, g, (p, x))
                          y: "f32[2]" = c[0]
                          return (y,)
                          class g(torch.nn.Module):
                           def forward(self, p: "b8[]", x: "f32[2]"):
                            g = self.g
                            c = torch.ops.higher_order.cond(p, g, g, (p, x))
                            y: "f32[2]" = c[0]
                            return (y,)
                            class g(torch.nn.Module):
                             def forward(self, p: "b8[]", x: "f32[2]"):
                              g = self.g
                              c = torch.ops.higher_order.cond(p, g, g, (p, x))
                              y: "f32[2]" = c[0]
                              return (y,)
                              class g(torch.nn.Module):
                               def forward(self, p: "b8[]", x: "f32[2]"):
                                g = self.g
                                c = torch.ops.higher_order.cond(p, g, g, (p, x))
                                y: "f32[2]" = c[0]
                                return (y,)
                                class g(torch.nn.Module):
                                 def forward(self, p: "b8[]", x: "f32[2]"):
                                  g = self.g
                                  c = torch.ops.higher_order.cond(p, g, g, (p, x))
                                  y: "f32[2]" = c[0]
                                  return (y,)
                                  class g(torch.nn.Module):
                                   def forward(self, p: "b8[]", x: "f32[2]"):
                                    y: "f32[2]" = torch.ops.aten.relu.default(x)
                                    return (y,)
