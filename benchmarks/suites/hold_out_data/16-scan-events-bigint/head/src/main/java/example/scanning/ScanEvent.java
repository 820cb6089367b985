package example.scanning;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
public class ScanEvent {
    @Id
    private Long id;
    private long parcelId;
    private int depotId;
}
