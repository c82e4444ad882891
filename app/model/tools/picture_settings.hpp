#pragma once

#include <array>
#include <optional>
#include <string>

#include "base/fields.hpp"
#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::model {

/// The subject of a picture or a film from the window.
enum class PictureOf : int { Window, Cloth, Twice, Transparent };
inline constexpr std::array kPicturesOf{
    EnumEntry{int(PictureOf::Window), "window", "window", "The whole window, as on the screen."},
    EnumEntry{int(PictureOf::Cloth), "cloth", "cloth",
              "Only the cloth, without panels and text; a picture is supersampled: "
              "drawn with twice the pixels on each side, and averaged."},
    EnumEntry{int(PictureOf::Twice), "twice", "cloth, 2x", "Only the cloth, with twice the pixels on each side."},
    EnumEntry{int(PictureOf::Transparent), "transparent", "cloth, transparent",
              "Cloth, solids and marks without ground and background, "
              "for slides; supersampled. A film has a background."},
};
constexpr std::span<const EnumEntry> enumTable(PictureOf) { return kPicturesOf; }

enum class FilmFormat : int { Mp4, Gif };
inline constexpr std::array kFilmFormats{
    EnumEntry{int(FilmFormat::Mp4), "mp4", "MP4", "H.264, small and sharp."},
    EnumEntry{int(FilmFormat::Gif), "gif", "GIF", "256 colours, for pages that play nothing else."},
};
constexpr std::span<const EnumEntry> enumTable(FilmFormat) { return kFilmFormats; }

struct PictureSettings {
    PictureOf of = PictureOf::Window;
    FilmFormat format = FilmFormat::Mp4;
    int steps = 300;  ///< of a film
};
void describe(PictureSettings& settings, FieldList& list);
/// Assigns KEY=VALUE; none if the key is unknown here.
std::optional<Expected<void>> assign(PictureSettings& settings, const std::string& assignment);

/// A film in progress: the window takes one step after another and draws each.
struct FilmTaking {
    bool turned = false;  ///< request to begin, or to end with the frames so far
    bool running = false;
    int frames = 0, wanted = 0;
};

/// "clothlab-hang-120-reduced-pcg-block-jacobi": scene, step, and the method of that step.
std::string pictureName(const worker::Snapshot& now);

}  // namespace clothlab::app::model
