package example.match;

import java.util.Set;

public record Person(long id, Set<String> interests) {
}
