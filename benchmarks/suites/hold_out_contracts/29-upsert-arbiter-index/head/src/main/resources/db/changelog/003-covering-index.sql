--liquibase formatted sql

--changeset orsolya:3 runInTransaction:false
DROP INDEX CONCURRENTLY IF EXISTS ix_device_readings_room;

--changeset orsolya:4 runInTransaction:false
CREATE INDEX CONCURRENTLY ix_device_readings_ext_cover ON device_readings (device_id, external_id) INCLUDE (celsius);

--changeset orsolya:5 runInTransaction:false
DROP INDEX CONCURRENTLY IF EXISTS uq_device_readings_ext;
