import { extend, hold, read, release } from "./holds";

export async function handler(event: { action: string; seat: string; customer: string }) {
  switch (event.action) {
    case "hold":
      return hold(event.seat, event.customer);
    case "extend":
      return extend(event.seat);
    case "release":
      return release(event.seat);
    default:
      return read(event.seat);
  }
}
