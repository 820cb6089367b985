import { accept } from "./accept";
import type { Env } from "./types";

export default {
  async fetch(req: Request, env: Env): Promise<Response> {
    return req.method === "POST" ? accept(req, env) : new Response(null, { status: 405 });
  },
};
