#pragma once

#include <string>
#include <string_view>

#include "base/errors.hpp"

namespace clothlab::scene {

/// Limit of the parts of a key, and of the nesting of arrays and inline tables; a scene needs three of each.
inline constexpr int kDeepestToml = 16;

/// Refuses text that the TOML library must not see: bytes that are not UTF-8, characters beyond ASCII outside of quotes
/// and comments (3.3.0 reads them with undefined behaviour), control characters, and nesting that would overflow its
/// stack. Other mistakes are left to the library. An Error has line and column (in characters).
Expected<void> guardToml(std::string_view text, const std::string& file);

}  // namespace clothlab::scene
