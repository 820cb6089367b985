import { MigrationInterface, QueryRunner } from "typeorm";

export class Init1767000000000 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`CREATE TYPE "ticket_state" AS ENUM ('open', 'closed')`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`DROP TYPE "ticket_state"`);
  }
}
