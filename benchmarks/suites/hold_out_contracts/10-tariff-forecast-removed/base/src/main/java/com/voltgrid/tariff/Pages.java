package com.voltgrid.tariff;

final class Pages {
    private Pages() {}

    static int clamp(int size) {
        if (size < 1) {
            return 1;
        }
        return Math.min(size, 200);
    }
}
