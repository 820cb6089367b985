package example.orchard;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;

public class Points implements RequestHandler<String, Integer> {
    private static final Cache<String, Integer> CACHE =
        Caffeine.newBuilder().maximumSize(10_000).expireAfterWrite(Duration.ofMinutes(5)).build();

    @Override
    public Integer handleRequest(String card, Context context) {
        return CACHE.get(card, Ledger::balance);
    }
}
