ALTER TABLE "orders" ADD COLUMN "pickup_slot" TEXT;
