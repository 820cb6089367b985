"""The shell: everything with a file system, a process, a clock or a screen."""
