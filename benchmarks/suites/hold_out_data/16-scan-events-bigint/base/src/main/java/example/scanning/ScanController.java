package example.scanning;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ScanController {
    private final ScanRepository scans;

    ScanController(ScanRepository scans) {
        this.scans = scans;
    }

    @PostMapping("/scans")
    void scan(@RequestBody ScanEvent event) {
        scans.save(event);
    }
}
