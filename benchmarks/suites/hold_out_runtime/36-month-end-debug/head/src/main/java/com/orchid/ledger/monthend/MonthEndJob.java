package com.orchid.ledger.monthend;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

@Component
public class MonthEndJob {
    private static final Logger log = LoggerFactory.getLogger(MonthEndJob.class);
    private final Ledgers ledgers;

    public MonthEndJob(Ledgers ledgers) {
        this.ledgers = ledgers;
    }

    @Scheduled(cron = "0 30 1 1 * *")
    public void close() {
        for (Ledger ledger : ledgers.open()) {
            log.debug("closing ledger={} balance={}", ledger.id(), ledger.balance());
            ledger.close();
        }
        log.info("month end posted");
    }
}
