package com.tallow.clearing;

public class Client {
    private final RetryPolicy policy = new RetryPolicy();

    public boolean send(Runnable call) {
        for (int i = 0; policy.again(i); i++) {
            try {
                call.run();
                return true;
            } catch (RuntimeException e) {
                continue;
            }
        }
        return false;
    }
}
