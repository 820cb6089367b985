export async function handler() {
  return { replayed: 0 };
}
