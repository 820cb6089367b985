import sharp from "sharp";
import { venueSvg } from "./venues.js";

export async function render(venue: string, width: number): Promise<Buffer> {
  return sharp(Buffer.from(await venueSvg(venue))).resize({ width }).webp({ effort: 4 }).toBuffer();
}
