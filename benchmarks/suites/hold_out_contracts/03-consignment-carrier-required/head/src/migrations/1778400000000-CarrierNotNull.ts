import { MigrationInterface, QueryRunner } from "typeorm";

export class CarrierNotNull1778400000000 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`SET LOCAL lock_timeout = '4s'`);
    await q.query(`ALTER TABLE consignments ALTER COLUMN carrier_id SET NOT NULL`);
    await q.query(`ALTER TABLE consignments DROP CONSTRAINT consignments_carrier_present`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`ALTER TABLE consignments ALTER COLUMN carrier_id DROP NOT NULL`);
  }
}
