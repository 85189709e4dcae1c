def figures(data):
    return []
