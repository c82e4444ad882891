#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/errors.hpp"

namespace clothlab::app::frames {

/// Number of frames in an MP4 file, from its own tables (ISO/IEC 14496-12: moov, trak, mdia, minf, stbl, stsz). An
/// Error says why it cannot be played: no index, or boxes that do not add up to the file. An encoder's exit code is not
/// sufficient: ffmpeg 5 ends with 0 when the disk is full.
Expected<std::int64_t> filmFrames(const std::string& path);

/// Number of images in a GIF file, up to its trailer (GIF89a). An Error says where it is cut off.
Expected<std::int64_t> gifFrames(const std::string& path);
Expected<std::int64_t> gifFramesIn(std::string_view bytes);

}  // namespace clothlab::app::frames
