package com.giftery.orders;

final class Pages {
    private Pages() {}

    static int clamp(int size) {
        return Math.max(1, Math.min(size, 200));
    }
}
