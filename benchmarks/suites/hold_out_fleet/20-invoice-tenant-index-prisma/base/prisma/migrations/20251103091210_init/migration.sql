-- CreateTable
CREATE TABLE "Invoice" ("id" TEXT NOT NULL, "tenantId" TEXT NOT NULL, "number" TEXT NOT NULL, "status" TEXT NOT NULL, "issuedAt" TIMESTAMP(3) NOT NULL, "totalCent" INTEGER NOT NULL, CONSTRAINT "Invoice_pkey" PRIMARY KEY ("id"));
CREATE TABLE "InvoiceLine" ("id" TEXT NOT NULL, "invoiceId" TEXT NOT NULL, "text" TEXT NOT NULL, "cent" INTEGER NOT NULL, CONSTRAINT "InvoiceLine_pkey" PRIMARY KEY ("id"));

-- CreateIndex
CREATE UNIQUE INDEX "Invoice_tenantId_number_key" ON "Invoice"("tenantId", "number");
CREATE INDEX "Invoice_tenantId_status_issuedAt_idx" ON "Invoice"("tenantId", "status", "issuedAt");
CREATE INDEX "Invoice_tenantId_issuedAt_idx" ON "Invoice"("tenantId", "issuedAt");
CREATE INDEX "InvoiceLine_invoiceId_idx" ON "InvoiceLine"("invoiceId");
