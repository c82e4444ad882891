#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/errors.hpp"

/// Checks of each target, besides that nothing crashes.
namespace clothlab::fuzz {

/// Ends the run where a promise is broken; libFuzzer keeps the input.
inline void require(bool kept, const char* promise, const std::string& shown = {}) {
    if (kept) return;
    std::fprintf(stderr, "broken: %s\n%s\n", promise, shown.c_str());
    std::abort();
}

/// A message is short, names a line of the text, and has no control characters.
inline void checkMessage(const Error& error, std::string_view input, bool needsLine = true) {
    const std::string text = error.text();
    require(!error.message.empty() && error.message.size() < 1000, "a message has 1 to 1000 characters", text);
    for (const char c : text)
        require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f, "no control characters in a message", text);
    if (!needsLine) return;
    long lines = 1;
    for (const char c : input) lines += c == '\n' || c == '\r';  // \r ends lines of old Macs
    require(error.line >= 1 && error.line <= lines, "an error names a line of its file", text);
    require(error.column >= 0, "a column is counted from 1", text);
}

inline std::string_view asText(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

}  // namespace clothlab::fuzz
