import { MigrationInterface, QueryRunner } from "typeorm";

// VALIDATE CONSTRAINT is run by the DBAs at night.
export class CarrierPresent1773043200000 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`ALTER TABLE shipments ADD CONSTRAINT shipments_carrier_present CHECK (carrier_id IS NOT NULL) NOT VALID`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`ALTER TABLE shipments DROP CONSTRAINT shipments_carrier_present`);
  }
}
