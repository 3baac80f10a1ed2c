"""Text to phoneme ids; pure, but for the one owner of espeak-ng."""
