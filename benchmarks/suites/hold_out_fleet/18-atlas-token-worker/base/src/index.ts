import { AutoRouter } from "itty-router";
import { geocode } from "./geocode";

export interface Env {
  PLACES: KVNamespace;
  COUNTRY: string;
}

const router = AutoRouter();
router.get("/search", async (req, env: Env) => {
  const q = String(req.query.q ?? "");
  const known = await env.PLACES.get(q, "json");
  return known ?? (await geocode(q, env));
});
export default router;
