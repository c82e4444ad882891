#pragma once

#include <string>
#include <vector>

namespace clothlab::tests {

/// A file in NumPy's format: the text between the braces, and the numbers after it.
struct Npy {
    std::string header;
    std::vector<double> values;
};

Npy readNpy(const std::string& path);

}  // namespace clothlab::tests
