import type { Request, Response } from "express";
import { render } from "../render.js";
import { content } from "../content.js";
import { CURRENCIES } from "../currencies.js";

export async function destination(req: Request, res: Response) {
  const page = await content(req.params.slug);
  res.send(render("destination", { page, currencies: CURRENCIES, visitor: req.headers.cookie ? req.headers.cookie.match(/name=([^;]*)/)?.[1] : undefined }));
}
