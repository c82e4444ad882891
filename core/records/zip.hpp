#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors.hpp"

/// Zip archives, as far as NumPy's .npz need them (APPNOTE.TXT of PKWARE, 6.3): one part, up to 4 GiB, neither
/// encrypted nor split.
namespace clothlab::records {

struct ZipMember {
    std::string name, bytes;
};

/// Stored, not deflated, each with its CRC-32; dated 1980-01-01, so that the same content has the same bytes. An Error
/// if the archive would exceed 4 GiB.
Expected<std::string> zipText(std::span<const std::pair<std::string_view, std::string>> members);

/// The inverse: stored and deflated members, in the order of the directory. An Error names the member, or the byte of
/// the file, and the problem. All members together have at most `mostBytes`, whatever the directory says.
Expected<std::vector<ZipMember>> readZip(std::string_view bytes, const std::string& file,
                                         std::size_t mostBytes = std::size_t{4} << 30);

}  // namespace clothlab::records
