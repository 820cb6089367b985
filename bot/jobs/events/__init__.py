"""What is done about each event of GitHub: a file an event, `handle(event, guid, ports)`; `handle_delivery` has the table."""
