import axios from "axios";

const gateway = axios.create({ baseURL: process.env.SMS_URL, timeout: 10_000 });

export async function sendCode(phone: string, code: string): Promise<void> {
  await gateway.post("/messages", { to: phone, text: `Your code is ${code}` });
}
