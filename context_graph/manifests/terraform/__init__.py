"""Terraform and OpenTofu, read without running anything: tree-sitter for the syntax, an own small resolver for the values."""
