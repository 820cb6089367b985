package com.voltgrid.tariff;

record ForecastRow(String zone, int cents) {}
