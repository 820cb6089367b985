package example.scanning;

import org.springframework.data.repository.CrudRepository;

interface ScanRepository extends CrudRepository<ScanEvent, Long> {
}
