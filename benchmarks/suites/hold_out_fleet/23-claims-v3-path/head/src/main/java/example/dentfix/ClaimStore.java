package example.dentfix;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

@Component
public class ClaimStore {
    private final Map<String, Claim> claims = new ConcurrentHashMap<>();

    public Claim add(Claim claim) {
        claims.put(claim.id(), claim);
        return claim;
    }

    public Claim find(String id) {
        return claims.get(id);
    }
}
