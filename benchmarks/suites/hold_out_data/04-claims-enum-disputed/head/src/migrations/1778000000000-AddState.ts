import { MigrationInterface, QueryRunner } from "typeorm";

export class AddState1778000000000 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`ALTER TYPE "claim_state" ADD VALUE IF NOT EXISTS 'disputed'`);
  }

  async down(): Promise<void> {
    // labels can't be removed
  }
}
