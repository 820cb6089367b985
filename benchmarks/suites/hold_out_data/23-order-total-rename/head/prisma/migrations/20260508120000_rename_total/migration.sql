ALTER TABLE "Order" RENAME COLUMN "totalCents" TO "amountCents";
