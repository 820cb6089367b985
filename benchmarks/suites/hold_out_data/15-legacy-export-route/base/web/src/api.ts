export async function download(id: number): Promise<Blob> {
  const res = await fetch(`/reports/${id}/export`);
  return res.blob();
}
