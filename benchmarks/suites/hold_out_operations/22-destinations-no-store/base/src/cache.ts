import type { NextFunction, Request, Response } from "express";

export function pageCache(_req: Request, res: Response, next: NextFunction) {
  res.setHeader("Cache-Control", "public, max-age=0, s-maxage=600, stale-while-revalidate=60");
  next();
}
