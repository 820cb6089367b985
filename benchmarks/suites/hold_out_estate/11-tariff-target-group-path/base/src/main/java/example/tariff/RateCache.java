package example.tariff;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

@Component
class RateCache {
    private final Map<String, Double> rates = new ConcurrentHashMap<>();

    double centsPerKwh(String zone) {
        return rates.getOrDefault(zone, 31.5);
    }
}
