import sharp from "sharp";

sharp.concurrency(2);

export function thumb(buffer, width) {
  return sharp(buffer).resize({ width, withoutEnlargement: true }).webp({ quality: 80 }).toBuffer();
}
