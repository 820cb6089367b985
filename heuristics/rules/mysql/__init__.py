"""What hurts on MySQL and MariaDB."""
