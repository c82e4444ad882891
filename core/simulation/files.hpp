#pragma once

#include <string>

#include "base/errors.hpp"

namespace clothlab::simulation {

/// Reads a whole file.
Expected<std::string> readFile(const std::string& path);

}  // namespace clothlab::simulation
