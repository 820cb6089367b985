import { DataSource } from "typeorm";

export const dataSource = new DataSource({
  type: "postgres",
  url: process.env.DATABASE_URL,
  migrations: ["dist/migrations/*.js"],
  migrationsTransactionMode: "each",
});
