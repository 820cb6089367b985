import type { Scan } from "./scan";

interface Env {
  SCANS: Queue<Scan>;
}

export default {
  async fetch(req: Request, env: Env): Promise<Response> {
    if (req.method !== "POST") return new Response(null, { status: 405 });
    await env.SCANS.send((await req.json()) as Scan);
    return new Response(null, { status: 202 });
  },
};
