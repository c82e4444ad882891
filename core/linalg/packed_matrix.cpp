// linalg
