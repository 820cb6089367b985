package nl.zekerheid;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Map;

public class RateTables {
    private final Map<String, Double> rates = new HashMap<>();

    public static RateTables fromClasspath() {
        RateTables t = new RateTables();
        try (BufferedReader r = new BufferedReader(new InputStreamReader(RateTables.class.getResourceAsStream("/rates.csv")))) {
            String line;
            while ((line = r.readLine()) != null) {
                String[] p = line.split(";");
                t.rates.put(p[0], Double.valueOf(p[1]));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return t;
    }

    public double premium(String postcode, int age) {
        return rates.getOrDefault(postcode, 1.0) * (age < 25 ? 1.6 : 1.0) * 31.5;
    }
}
