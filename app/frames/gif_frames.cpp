#include "frames/film_file.hpp"

namespace clothlab::app::frames {

Expected<std::int64_t> gifFramesIn(std::string_view text) {
    std::size_t at = 13;
    const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
    const auto palette = [&](unsigned flags) { return flags & 0x80u ? std::size_t(3) << ((flags & 7u) + 1) : 0; };
    const auto skipBlocks = [&] {  // each with its length before it, a zero at the end
        while (at < text.size() && byte(at) != 0) at += byte(at) + 1;
        ++at;
    };
    if (!text.starts_with("GIF8")) return fail("this is no GIF");
    at += palette(byte(10));
    for (std::int64_t frames = 0; at < text.size();) {
        const unsigned kind = byte(at);
        if (kind == 0x3b) return frames;
        if (kind == 0x21) {  // an extension
            at += 2;
            skipBlocks();
        } else if (kind == 0x2c) {  // an image
            ++frames;
            at += 10 + palette(byte(at + 9)) + 1;
            skipBlocks();
        } else {
            break;
        }
    }
    return fail("the film breaks off");
}

}  // namespace clothlab::app::frames
