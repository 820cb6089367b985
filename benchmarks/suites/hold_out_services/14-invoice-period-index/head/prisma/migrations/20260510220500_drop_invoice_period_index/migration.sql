-- DropIndex
DROP INDEX "invoices_clinicId_period_idx";
