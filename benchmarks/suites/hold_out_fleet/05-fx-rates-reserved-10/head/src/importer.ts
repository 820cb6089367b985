export async function handler() {
  return { imported: 0 };
}
