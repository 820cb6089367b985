package com.orchid.ledger.http;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class TransferController {
    private static final Logger log = LoggerFactory.getLogger(TransferController.class);

    @PostMapping("/transfers")
    public String transfer() {
        log.debug("transfer");
        return "accepted";
    }
}
