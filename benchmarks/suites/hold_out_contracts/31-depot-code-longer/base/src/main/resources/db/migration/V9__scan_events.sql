CREATE TABLE scan_events (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  parcel_id BIGINT UNSIGNED NOT NULL,
  depot_code VARCHAR(60) NOT NULL,
  kind VARCHAR(16) NOT NULL,
  scanned_at DATETIME(3) NOT NULL,
  KEY ix_scan_events_parcel (parcel_id, scanned_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
