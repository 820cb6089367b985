function need(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

export const config = {
  databaseUrl: need("DATABASE_URL"),
  postingHmacKey: need("POSTING_HMAC_KEY"),
  region: process.env.REGION ?? "eu",
  pageSize: Number(process.env.PAGE_SIZE ?? 100),
};
