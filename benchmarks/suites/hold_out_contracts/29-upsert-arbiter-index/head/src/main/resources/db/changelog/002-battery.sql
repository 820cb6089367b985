--liquibase formatted sql

--changeset orsolya:2
ALTER TABLE devices ADD COLUMN battery smallint;
