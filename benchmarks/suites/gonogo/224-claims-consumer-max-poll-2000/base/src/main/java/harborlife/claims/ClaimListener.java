package harborlife.claims;

import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

@Component
public class ClaimListener {
    private final Assessor assessor;

    public ClaimListener(Assessor assessor) {
        this.assessor = assessor;
    }

    @KafkaListener(topics = "claims")
    public void on(String claim) {
        assessor.score(claim);
    }
}
