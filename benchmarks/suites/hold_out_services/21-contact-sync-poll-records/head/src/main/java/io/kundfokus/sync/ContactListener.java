package io.kundfokus.sync;

import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

@Component
public class ContactListener {
    private final CrmClient crm;

    public ContactListener(CrmClient crm) {
        this.crm = crm;
    }

    @KafkaListener(topics = "contacts.changed.v2")
    public void onChange(String contact) {
        crm.upsert(contact);
    }
}
