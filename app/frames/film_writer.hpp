#pragma once

#include <memory>
#include <string>

#include "render/capture.hpp"

namespace clothlab::app::frames {

/// Where the frames of `render` and the films of the window go: a folder of PNG files, one PNG that keeps the last
/// frame, or a film through ffmpeg.
class FilmWriter {
public:
    virtual ~FilmWriter() = default;
    virtual Expected<void> add(const render::Image& frame) = 0;
    /// Completes the file; nothing is left under the final name when this is not called or fails.
    virtual Expected<void> finish() = 0;

    /// By the ending of `out`: ".mp4" and ".gif" are films at `fps` (need ffmpeg), ".png" the last frame, anything else
    /// a folder. An output that cannot be written is refused here, before the first step.
    static Expected<std::unique_ptr<FilmWriter>> create(const std::string& out, int width, int height, double fps,
                                                        const InputFiles& inputs);
};

enum class FilmKind { Film, Gif, Picture, Folder };
FilmKind filmKind(const std::string& out);
/// Frames a second of a film with a frame for each `dt` seconds: what formats can say and eyes can see.
double filmRate(FilmKind kind, double dt);

}  // namespace clothlab::app::frames
