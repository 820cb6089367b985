export async function notesFor(line: string, at: string): Promise<string> {
  const res = await fetch(`${process.env.OPS_URL}/notes/${line}?at=${at}`);
  if (!res.ok) throw new Error(`ops ${res.status}`);
  return res.text();
}
