"""What could be done about it: rewrite rules, matches, refusals and previews."""
