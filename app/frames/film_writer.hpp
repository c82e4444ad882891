#pragma once

#include <memory>
#include <string>

#include "render/gl/capture.hpp"

namespace clothlab::app::frames {

/// Writes the frames of `render` and of the window's films: to a folder of PNG files, one PNG of the last frame, or a
/// film through ffmpeg.
class FilmWriter {
public:
    virtual ~FilmWriter() = default;
    /// Adds one picture as `times` frames. Other threads encode and write it: an Error may belong to an earlier frame.
    virtual Expected<void> add(render::Image frame, int times = 1) = 0;
    /// Completes the file; without this, or if it fails, there is no file under the final name.
    virtual Expected<void> finish() = 0;
    /// Ends early: a folder keeps all frames added so far, a film or a picture is not written.
    virtual Expected<void> leave() { return {}; }

    /// By the ending of `out`: ".mp4" and ".gif" are films at `fps` (need ffmpeg), ".png" the last frame, anything else
    /// a folder. An output that cannot be written is refused here, before the first step.
    static Expected<std::unique_ptr<FilmWriter>> create(const std::string& out, int width, int height, double fps,
                                                        const InputFiles& inputs);
};

enum class FilmKind { Film, Gif, Picture, Folder };
FilmKind filmKind(const std::string& out);
/// The size of a film of this kind for a requested one: the sides of an MP4 are rounded up to even numbers, since two
/// by two pixels share their colour.
struct FilmSize {
    int width = 0, height = 0;
};
FilmSize fittingSize(FilmKind kind, int width, int height);
/// The highest frame rate of a film of this kind, 1/s: GIF counts in hundredths of a second, and players show no frame
/// for less than two.
double mostFrames(FilmKind kind);
/// Frames per second of a film with one frame per `dt` seconds, within the limits of the format and of the eye.
double filmRate(FilmKind kind, double dt);

}  // namespace clothlab::app::frames
