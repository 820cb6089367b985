import { Eta } from "eta";
import { load, find } from "./store.js";

const eta = new Eta({ views: "views" });

export async function recipePage(req, res) {
  res.send(await eta.renderAsync("recipe", await load(req.params.slug)));
}

export async function searchPage(req, res) {
  res.send(await eta.renderAsync("search", { hits: await find(req.query.q) }));
}
