"""One file a dialect: pure decode and encode."""
