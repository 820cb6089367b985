package nl.zekerheid;

import java.util.Map;

public class QuoteHandler {
    private static final RateTables TABLES = RateTables.fromClasspath();

    public Map<String, Object> handleRequest(Map<String, Object> in) {
        return Map.of("premium", TABLES.premium((String) in.get("postcode"), (Integer) in.get("age")));
    }
}
