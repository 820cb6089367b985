package io.kundfokus.sync;

import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

@Component
public class CrmClient {
    private final RestClient http = RestClient.create(System.getenv("CRM_URL"));

    public void upsert(String contact) {
        http.put().uri("/contacts").body(contact).retrieve().toBodilessEntity();
    }
}
