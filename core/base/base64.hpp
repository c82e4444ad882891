#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace clothlab {

/// Bytes in a text of letters, digits, '+', '/' and '=' (RFC 4648).
std::string base64(std::string_view bytes);
/// The bytes; nullopt if the text is not base64.
std::optional<std::string> fromBase64(std::string_view text);

}  // namespace clothlab
