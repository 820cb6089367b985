SET lock_timeout = '3s';
ALTER TABLE events
    ADD COLUMN archived boolean NOT NULL DEFAULT false;
