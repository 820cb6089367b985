import { signedUp } from "./events";

export async function signup(email: string, locale: string): Promise<string> {
  const id = crypto.randomUUID();
  await signedUp({ id, email, locale });
  return id;
}
