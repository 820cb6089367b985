ALTER TABLE scan_event ADD COLUMN belt smallint;

ALTER TABLE scan_event ALTER COLUMN carrier_code TYPE varchar(48);

ALTER TABLE scan_event ALTER COLUMN id TYPE bigint;
ALTER SEQUENCE scan_event_id_seq AS bigint;
