package example.dentfix;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("/api")
public class ClaimsController {
    private final ClaimStore store;

    public ClaimsController(ClaimStore store) {
        this.store = store;
    }

    @PostMapping("/v2/claims")
    @ResponseStatus(HttpStatus.CREATED)
    public Claim create(@RequestBody Claim claim) {
        return store.add(claim);
    }

    @GetMapping("/claims/{id}")
    public Claim get(@PathVariable String id) {
        return store.find(id);
    }
}
