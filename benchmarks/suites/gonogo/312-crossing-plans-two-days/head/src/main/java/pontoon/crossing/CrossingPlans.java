package pontoon.crossing;

import java.time.Instant;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.stereotype.Service;

@Service
public class CrossingPlans {
  private final TideModel model;

  public CrossingPlans(TideModel model) {
    this.model = model;
  }

  @Cacheable(cacheNames = "plans", key = "#ship + ':' + #leaves")
  public Plan plan(String ship, Instant leaves) {
    return model.plan(ship, leaves);
  }
}
