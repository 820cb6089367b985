package rail;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

final class Database {
  static HikariDataSource open() {
    HikariConfig cfg = new HikariConfig();
    cfg.setJdbcUrl(System.getenv("DB_URL"));
    cfg.setMaximumPoolSize(Integer.parseInt(System.getenv("DB_POOL_SIZE")));
    cfg.setConnectionTimeout(3000);
    cfg.addDataSourceProperty("prepareThreshold", "0");
    return new HikariDataSource(cfg);
  }

  private Database() {}
}
