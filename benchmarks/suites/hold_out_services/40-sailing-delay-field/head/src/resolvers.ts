import type { Ctx } from "./server";

type Row = { id: string; departs_at: string; delay_s: number; reason: string | null; vessel_id: string };

export const resolvers = {
  Query: {
    departures: (_: unknown, a: { quay: string; first: number }, ctx: Ctx): Promise<Row[]> => ctx.timetable.next(a.quay, a.first),
  },
  Sailing: {
    departsAt: (s: Row) => s.departs_at,
    status: (s: Row) => ({ delay: Math.round(s.delay_s / 60), reason: s.reason }),
    vessel: (s: Row, _: unknown, ctx: Ctx) => ctx.vessels.load(s.vessel_id),
  },
};
