package com.orchid.ledger.monthend;

public interface Ledger {
    String id();

    long balance();

    void close();
}
