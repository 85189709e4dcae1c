"""What a request asks for, made definite: the problem, its slots, and what an answer costs."""
