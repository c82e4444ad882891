#pragma once

#include <memory>
#include <string>

#include "render/gl/capture.hpp"

namespace clothlab::app::frames {

/// Where the frames of `render` and the films of the window go: a folder of PNG files, one PNG that keeps the last
/// frame, or a film through ffmpeg.
class FilmWriter {
public:
    virtual ~FilmWriter() = default;
    /// Adds one picture as `times` frames. Other threads pack and write it, so an Error may belong to an earlier frame.
    virtual Expected<void> add(render::Image frame, int times = 1) = 0;
    /// Completes the file; nothing is left under the final name when this is not called or fails.
    virtual Expected<void> finish() = 0;
    /// Ends early: of a folder all frames that were added are there, of a film or a picture nothing is.
    virtual Expected<void> leave() { return {}; }

    /// By the ending of `out`: ".mp4" and ".gif" are films at `fps` (need ffmpeg), ".png" the last frame, anything else
    /// a folder. An output that cannot be written is refused here, before the first step.
    static Expected<std::unique_ptr<FilmWriter>> create(const std::string& out, int width, int height, double fps,
                                                        const InputFiles& inputs);
};

enum class FilmKind { Film, Gif, Picture, Folder };
FilmKind filmKind(const std::string& out);
/// The size that a film of this kind has when it is asked for another one: pixels of an MP4 share their colours by two
/// in both directions, so that its sides are even.
struct FilmSize {
    int width = 0, height = 0;
};
FilmSize fittingSize(FilmKind kind, int width, int height);
/// The most frames a second that a film of this kind can have: GIF counts in hundredths of a second, and players show
/// no frame for less than two.
double mostFrames(FilmKind kind);
/// Frames a second of a film with a frame for each `dt` seconds: what formats can say and eyes can see.
double filmRate(FilmKind kind, double dt);

}  // namespace clothlab::app::frames
