package novelnook.search;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

@Component
public class Flags {
    @Value("${SEMANTIC_SEARCH:false}")
    private boolean semantic;

    public boolean semantic() {
        return semantic;
    }
}
