#pragma once

#include <stop_token>
#include <string>

#include "base/output.hpp"
#include "lessons/lesson.hpp"

namespace clothlab::app::film {

struct LessonFilmOptions {
    std::string out;      ///< as in FilmOptions
    std::string assets;   ///< folder
    double seconds = 60;  ///< longest duration
    int fps = 25;
    int width = 1280, height = 720;
    int threads = 0;  ///< 0 = all cores
    bool lightTheme = false;
    std::string shaderFolder;
    InputFiles inputs = {};  ///< files that `out` must not overwrite
    std::stop_token stop = {};
};

struct LessonFilmSummary {
    int frames = 0;
    int claims = 0, holding = 0;
    bool stopped = false;
};

/// Durations of a part of a lesson, s: its text before the motion, the motion, and its result.
struct PartTimes {
    double before = 0, motion = 0, after = 0;
    double all() const { return before + motion + after; }
};
/// In real time where that is long enough to see, with time to read; scaled down where the sum would exceed `seconds`.
/// Errors as of sceneAt.
Expected<std::vector<PartTimes>> partTimes(const lessons::Lesson& lesson, const std::string& assets, double seconds);

/// Runs a lesson without a window and draws it: its text and claims at the left, with measured values once there are
/// any, the cloth, and under it the plot of the part. An Error is about a file, a driver or a scene.
Expected<LessonFilmSummary> makeLessonFilm(const lessons::Lesson& lesson, const LessonFilmOptions& options);

}  // namespace clothlab::app::film
