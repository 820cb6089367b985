import { db } from "./db.js";

export interface Bike { id: string; model: string; locked: boolean }

export function bikesAt(dockId: number): Promise<Bike[]> {
  return db("bikes").select("id", "model", "locked").where({ dock_id: dockId }).orderBy("id");
}
