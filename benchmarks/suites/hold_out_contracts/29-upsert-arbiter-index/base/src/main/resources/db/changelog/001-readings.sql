--liquibase formatted sql

--changeset orsolya:1
CREATE TABLE device_readings (
  id bigserial PRIMARY KEY,
  device_id bigint NOT NULL,
  external_id text NOT NULL,
  celsius numeric(5,2) NOT NULL,
  room text,
  read_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX uq_device_readings_ext ON device_readings (device_id, external_id);
CREATE INDEX ix_device_readings_room ON device_readings (room);
CREATE INDEX ix_device_readings_time ON device_readings (device_id, read_at);
