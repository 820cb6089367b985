export const RETRIES = 1;
export const TIMEOUT_MS = 200;

export async function eventually(check: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < RETRIES; i++) {
    if (await check()) return;
    await new Promise((r) => setTimeout(r, TIMEOUT_MS / RETRIES));
  }
  throw new Error("condition never held");
}
