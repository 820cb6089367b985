package example.northbay.claims;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

public final class ClaimStore {
    private final DataSource source;

    public ClaimStore(DataSource source) {
        this.source = source;
    }

    public String status(long id) throws SQLException {
        try (Connection c = source.getConnection();
                PreparedStatement q = c.prepareStatement("SELECT status FROM claims WHERE id = ?")) {
            q.setLong(1, id);
            try (ResultSet r = q.executeQuery()) {
                return r.next() ? r.getString(1) : null;
            }
        }
    }
}
