package example.northcart;

import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

@Repository
public class ProductRepository {
    private final JdbcTemplate jdbc;

    public ProductRepository(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public List<String> names(String category) {
        return jdbc.queryForList("SELECT name FROM products WHERE category = ? ORDER BY rank LIMIT 40", String.class, category);
    }
}
