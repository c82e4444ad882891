#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/errors.hpp"

namespace clothlab::app::frames {

/// Frames that an MP4 file has, from its own tables (ISO/IEC 14496-12: moov, trak, mdia, minf, stbl, stsz). An Error
/// says what a player would stumble on: no index, or boxes that do not add up to the file. An encoder's exit code does
/// not tell: ffmpeg 5 ends with 0 when the disk is full.
Expected<std::int64_t> filmFrames(const std::string& path);

/// Images that a GIF file has, to its end mark (GIF89a). An Error says where it breaks off.
Expected<std::int64_t> gifFrames(const std::string& path);
Expected<std::int64_t> gifFramesIn(std::string_view bytes);

}  // namespace clothlab::app::frames
