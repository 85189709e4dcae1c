"""The methods: each turns a corpus and a request into new motion. None imports another."""
