export async function pdfFor(invoice: { id: string }): Promise<Uint8Array> {
  return new TextEncoder().encode(`invoice ${invoice.id}`);
}
