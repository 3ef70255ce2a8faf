"""What `winnow structure` is made of."""
