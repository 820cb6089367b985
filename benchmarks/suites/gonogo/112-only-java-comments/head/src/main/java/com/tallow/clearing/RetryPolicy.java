package com.tallow.clearing;

public class RetryPolicy {
    /**
     * Three attempts: with ten, and no timeout, the outage of 2023 took the clearing house down with us.
     * Do not raise ATTEMPTS without a budget, and do not set TIMEOUT_MS to 0 (it means forever).
     */
    static final int ATTEMPTS = 3;
    static final long TIMEOUT_MS = 2000;

    boolean again(int attempt) {
        return attempt < ATTEMPTS;
    }
}
