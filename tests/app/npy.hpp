#pragma once

#include <string>
#include <vector>

namespace clothlab::tests {

/// A file of NumPy's as its format says it: what stands between the braces, and the numbers after it.
struct Npy {
    std::string header;
    std::vector<double> values;
};

Npy readNpy(const std::string& path);

}  // namespace clothlab::tests
