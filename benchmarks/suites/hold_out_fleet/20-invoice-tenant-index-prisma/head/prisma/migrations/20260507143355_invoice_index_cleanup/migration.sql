-- DropIndex
DROP INDEX "Invoice_tenantId_issuedAt_idx";
