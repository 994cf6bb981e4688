"""A second language is nothing but files: shown with one that is made up."""
