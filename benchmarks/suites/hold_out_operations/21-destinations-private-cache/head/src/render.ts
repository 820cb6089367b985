import { Eta } from "eta";

const eta = new Eta({ views: "views" });

export function render(view: string, data: object): string {
  return eta.render(view, data);
}
