CREATE TABLE "depots" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "timezone" TEXT,
    CONSTRAINT "depots_pkey" PRIMARY KEY ("id")
);
