DELETE FROM audit_entries WHERE at < now() - interval '400 days';
