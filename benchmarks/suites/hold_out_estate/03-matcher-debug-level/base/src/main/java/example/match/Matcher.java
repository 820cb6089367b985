package example.match;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public class Matcher {
    private static final Logger log = LoggerFactory.getLogger(Matcher.class);

    public Optional<Person> best(Person me, List<Person> candidates) {
        return candidates.stream().max(Comparator.comparingDouble(c -> score(me, c)));
    }

    private double score(Person me, Person other) {
        double s = 0;
        for (String interest : me.interests()) {
            if (other.interests().contains(interest)) {
                s += 1.0;
            }
        }
        log.debug("pair me={} other={} score={} profile={}", me.id(), other.id(), s, other);
        return s;
    }
}
