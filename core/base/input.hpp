#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/errors.hpp"

/// All input: files and pipes (`plot <(zcat r.ndjson.gz)`), with limits.
namespace clothlab {

struct InputLimits {
    std::uintmax_t bytes = std::uintmax_t{1} << 30;  ///< of the whole
    std::size_t lineBytes = 0;                       ///< of a line; 0 = any
    bool pipes = true;  ///< false for the program's own files, so that it never waits for a writer
};

/// For files written by hand: scenes, scripts.
inline constexpr InputLimits kHandWritten{.bytes = 16u << 20};
/// For files of one JSON object per line.
inline constexpr InputLimits kJsonLines{.bytes = std::uintmax_t{4} << 30, .lineBytes = 4u << 20};

/// Reads a whole file or pipe. An Error gives the reason: missing, no permission, a loop of links, a folder, a device,
/// beyond the limits (a long line with its number), or a read failure; a partial read is never returned.
Expected<std::string> readFile(const std::string& path, const InputLimits& limits = {});

/// Whether something has this name. A path without access counts as existing: reading it gives the reason.
bool somethingAt(const std::string& path);

/// Line and column, from 1, of a byte of a text; a column counts bytes.
struct TextPlace {
    int line = 1, column = 1;
};
TextPlace textPlace(std::string_view text, std::size_t byte);

}  // namespace clothlab
