#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/errors.hpp"

namespace clothlab::app::render {

/// A PNG (ISO/IEC 15948) of 8 bits per channel: 3 channels are RGB, 4 are RGBA; rows from top to bottom. The same
/// pixels are the same bytes as long as libdeflate is the same. An Error for a picture without pixels, or one of 2 GiB.
/// May run on several threads at once.
Expected<std::string> encodePng(int width, int height, int channels, std::span<const std::uint8_t> pixels);

}  // namespace clothlab::app::render
