DELETE FROM retired_imports WHERE finished_at < now() - interval '400 days';
