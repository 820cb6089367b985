package example.northbay.claims;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

public final class Database {
    private Database() {
    }

    public static HikariDataSource open() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(System.getenv("DB_URL"));
        config.setUsername(System.getenv("DB_USER"));
        config.setPassword(System.getenv("DB_PASSWORD"));
        config.setMaximumPoolSize(40);
        config.setMinimumIdle(40);
        config.setConnectionTimeout(5000);
        config.setPoolName("claims");
        return new HikariDataSource(config);
    }
}
