import numpy as np


def project(x, w, length, compliance, h, lam):
    return lam  # x[0] += ..., x[1] += ..., the new lambda
