import { db } from "./db.js";

export interface Bike { id: string; model: string; locked: boolean; battery_pct: number | null }

export function bikesAt(dockId: number): Promise<Bike[]> {
  return db("bikes").select("id", "model", "locked", "battery_pct").where({ dock_id: dockId }).orderBy("id");
}
