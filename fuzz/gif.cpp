#include "frames/film_file.hpp"
#include "messages.hpp"

using namespace clothlab;

/// A film written by ffmpeg: a truncated one is refused, and no image is shorter than its header.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = fuzz::asText(data, size);
    const auto frames = app::frames::gifFramesIn(bytes);
    if (!frames)
        fuzz::checkMessage(frames.error(), bytes, false);
    else
        fuzz::require(*frames >= 0 && std::size_t(*frames) <= bytes.size() / 11, "an image has eleven bytes or more");
    return 0;
}
