import pg from "pg";

const pool = new pg.Pool({ max: 10 });

export const query = async (sql: string, args: unknown[]) => (await pool.query(sql, args)).rows;
