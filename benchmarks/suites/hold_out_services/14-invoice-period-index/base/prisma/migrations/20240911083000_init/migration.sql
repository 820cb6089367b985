CREATE TABLE "invoices" (
    "id" BIGSERIAL NOT NULL,
    "clinicId" INTEGER NOT NULL,
    "ownerId" INTEGER NOT NULL,
    "period" CHAR(7) NOT NULL,
    "cents" INTEGER NOT NULL,
    "issuedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "invoices_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "invoices_ownerId_idx" ON "invoices"("ownerId");
CREATE INDEX "invoices_clinicId_period_idx" ON "invoices"("clinicId", "period");
