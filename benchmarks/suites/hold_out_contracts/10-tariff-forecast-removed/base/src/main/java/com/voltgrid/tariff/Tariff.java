package com.voltgrid.tariff;

record Tariff(String zone, int centsPerKwh, String validFrom) {}
