UPDATE "depots" SET "timezone" = 'Europe/Brussels' WHERE "timezone" IS NULL;
ALTER TABLE "depots" ALTER COLUMN "timezone" SET DEFAULT 'Europe/Brussels';
ALTER TABLE "depots" ALTER COLUMN "timezone" SET NOT NULL;
