package example.nettkraft.tariffs;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.stereotype.Service;

@Service
class TariffService {
  private final TariffRepository rows;

  TariffService(TariffRepository rows) {
    this.rows = rows;
  }

  List<Tariff> inArea(String area) {
    return rows.findByAreaOrderByValidFrom(area);
  }

  void writeCsv(String area, OutputStream out) throws IOException {
    for (Tariff t : inArea(area)) {
      out.write((t.csvLine() + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }
}
