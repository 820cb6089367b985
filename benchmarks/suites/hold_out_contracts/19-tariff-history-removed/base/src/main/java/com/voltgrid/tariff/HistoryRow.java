package com.voltgrid.tariff;

record HistoryRow(String zone, int cents) {}
