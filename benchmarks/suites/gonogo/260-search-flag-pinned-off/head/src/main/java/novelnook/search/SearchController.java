package novelnook.search;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class SearchController {
    private final Flags flags;
    private final Embeddings embeddings;
    private final Titles titles;

    public SearchController(Flags flags, Embeddings embeddings, Titles titles) {
        this.flags = flags;
        this.embeddings = embeddings;
        this.titles = titles;
    }

    @GetMapping("/search")
    public List<String> search(@RequestParam String q) {
        return flags.semantic() ? titles.near(embeddings.of(q)) : titles.matching(q);
    }
}
