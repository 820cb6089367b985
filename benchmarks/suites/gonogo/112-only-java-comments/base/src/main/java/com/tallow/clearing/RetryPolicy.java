package com.tallow.clearing;

public class RetryPolicy {
    // three attempts
    static final int ATTEMPTS = 3;
    static final long TIMEOUT_MS = 2000;

    boolean again(int attempt) {
        return attempt < ATTEMPTS;
    }
}
