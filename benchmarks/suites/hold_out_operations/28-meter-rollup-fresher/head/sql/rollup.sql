INSERT INTO meter_hours (meter_id, hour, kwh)
SELECT meter_id, date_trunc('hour', read_at), sum(kwh)
FROM readings
WHERE read_at >= date_trunc('day', now()) - interval '1 day'
GROUP BY 1, 2
ON CONFLICT (meter_id, hour) DO UPDATE SET kwh = excluded.kwh;
