#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/errors.hpp"

/// All that is read comes in here: files, and pipes (`plot <(zcat r.ndjson.gz)`), with limits.
namespace clothlab {

struct InputLimits {
    std::uintmax_t bytes = std::uintmax_t{1} << 30;  ///< of the whole
    std::size_t lineBytes = 0;                       ///< of a line; 0 = any
    bool pipes = true;  ///< false: what the program keeps for itself; it never waits for somebody to write it
};

/// For files that a hand writes: scenes, scripts.
inline constexpr InputLimits kHandWritten{.bytes = 16u << 20};
/// For files of one JSON object a line.
inline constexpr InputLimits kJsonLines{.bytes = std::uintmax_t{4} << 30, .lineBytes = 4u << 20};

/// A whole file or pipe. An Error says why not: missing, no rights, a loop of links, a folder, a device, more than the
/// limits (a long line with its number), or a failure on the way: what cannot be read to its end is not read at all.
Expected<std::string> readFile(const std::string& path, const InputLimits& limits = {});

/// Whether something has this name. What cannot be looked at counts as there: reading it says why not.
bool somethingAt(const std::string& path);

/// Line and column, from 1, of a byte of a text; a column counts bytes.
struct TextPlace {
    int line = 1, column = 1;
};
TextPlace placeOf(std::string_view text, std::size_t byte);

}  // namespace clothlab
