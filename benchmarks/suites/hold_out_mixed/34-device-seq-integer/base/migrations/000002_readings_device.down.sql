DROP INDEX readings_device_idx;
