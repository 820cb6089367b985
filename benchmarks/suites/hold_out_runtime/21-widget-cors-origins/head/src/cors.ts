export function cors(req: Request, allowed: string): Record<string, string> {
  const origin = req.headers.get("origin") ?? "";
  const headers: Record<string, string> = { "content-type": "application/json", vary: "origin" };
  if (allowed.split(",").includes(origin)) headers["access-control-allow-origin"] = origin;
  return headers;
}
