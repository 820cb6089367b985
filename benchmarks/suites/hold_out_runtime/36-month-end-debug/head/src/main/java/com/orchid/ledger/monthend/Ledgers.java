package com.orchid.ledger.monthend;

import java.util.List;

public interface Ledgers {
    List<Ledger> open();
}
