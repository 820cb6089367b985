"""Rules of queues."""
