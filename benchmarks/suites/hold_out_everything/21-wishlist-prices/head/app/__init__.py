"""Wishlist service."""
