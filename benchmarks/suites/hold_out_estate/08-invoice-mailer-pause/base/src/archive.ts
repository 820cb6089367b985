import { pdfFor } from "./pdf";

export async function handler() {
  await pdfFor({ id: "daily-archive" });
}
