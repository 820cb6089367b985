import type { Request, Response } from "express";
import { find } from "./catalog";
import { layout } from "./layout";

export async function product(req: Request, res: Response) {
  const item = await find(req.params.sku);
  if (!item) return res.status(404).send("not found");
  res.set("Cache-Control", "private, no-store");
  res.send(layout(`<h1>${item.title}</h1><p>${item.text}</p>`, req.get("x-user-name")));
}
