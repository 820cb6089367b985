import sharp from "sharp";
import { get, put } from "./store";

export async function handler(event: any) {
  for (const record of event.Records) {
    const { key, width } = JSON.parse(record.body);
    const image = await get(key);
    await put(`thumb/${width}/${key}`, await sharp(image).resize(width).webp().toBuffer());
  }
}
