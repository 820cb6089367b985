import postgres from "postgres";

// user settle_app
export const sql = postgres(process.env.DATABASE_URL!, { max: 8 });
