package example.nettkraft.tariffs;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

@RestController
class TariffController {
  private final TariffService tariffs;

  TariffController(TariffService tariffs) {
    this.tariffs = tariffs;
  }

  @GetMapping("/v1/tariffs")
  List<Tariff> list(@RequestParam String area) {
    return tariffs.inArea(area);
  }

  @GetMapping(value = "/v1/tariffs/export", produces = "text/csv")
  String export(@RequestParam String area) {
    return tariffs.csv(area);
  }

  @GetMapping(value = "/v2/tariffs/export", produces = "text/csv")
  StreamingResponseBody exportStream(@RequestParam String area) {
    return out -> tariffs.writeCsv(area, out);
  }
}
