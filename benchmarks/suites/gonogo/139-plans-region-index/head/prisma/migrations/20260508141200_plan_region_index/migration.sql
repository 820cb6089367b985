-- CreateIndex
CREATE INDEX "Plan_region_validFrom_idx" ON "Plan"("region", "validFrom");
