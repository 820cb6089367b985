import type { Request, Response } from "express";
import { render } from "../render.js";
import { content } from "../content.js";

const CURRENCIES = ["EUR", "USD", "GBP", "CHF"];

export async function destination(req: Request, res: Response) {
  const page = await content(req.params.slug);
  res.send(render("destination", { page, currencies: CURRENCIES }));
}
