package pontoon.crossing;

import java.time.Instant;
import org.springframework.web.bind.annotation.*;

@RestController
public class PlansController {
  private final CrossingPlans plans;

  public PlansController(CrossingPlans plans) {
    this.plans = plans;
  }

  @GetMapping("/plans/{ship}")
  public Plan plan(@PathVariable String ship, @RequestParam Instant leaves) {
    return plans.plan(ship, leaves);
  }
}
