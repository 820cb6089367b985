import { departures } from "./operator";

export interface Env { OPERATOR: string }

export default {
  async fetch(req: Request, env: Env): Promise<Response> {
    const stop = new URL(req.url).pathname.slice(1);
    if (!/^[0-9]{4,6}$/.test(stop)) return new Response("unknown stop", { status: 404 });
    return departures(stop, env);
  },
};
