import type { NextFunction, Request, Response } from "express";

export function pageCache(_req: Request, res: Response, next: NextFunction) {
  res.setHeader("Cache-Control", "private, no-store");
  next();
}
