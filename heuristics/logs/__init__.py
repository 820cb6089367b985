"""What a change makes a program write to its log."""
