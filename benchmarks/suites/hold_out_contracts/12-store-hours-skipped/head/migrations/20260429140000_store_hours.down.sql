DROP TABLE store_hours;
