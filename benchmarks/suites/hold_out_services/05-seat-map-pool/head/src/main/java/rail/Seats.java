package rail;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

final class Seats {
  private final DataSource ds;

  Seats(DataSource ds) {
    this.ds = ds;
  }

  List<String> free(String train) throws SQLException {
    try (var con = ds.getConnection(); var st = con.prepareStatement("SELECT seat_no FROM seats WHERE train_no = ? AND held_until < now()")) {
      st.setString(1, train);
      List<String> out = new ArrayList<>();
      try (var rs = st.executeQuery()) {
        while (rs.next()) out.add(rs.getString(1));
      }
      return out;
    }
  }
}
