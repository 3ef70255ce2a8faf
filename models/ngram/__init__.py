"""The n-gram language model: tokens, sentences, training, file, scores."""
