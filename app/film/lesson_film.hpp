#pragma once

#include <stop_token>
#include <string>

#include "base/output.hpp"
#include "lessons/lesson.hpp"

namespace clothlab::app::film {

struct LessonFilmOptions {
    std::string out;      ///< as of FilmOptions
    std::string assets;   ///< folder
    double seconds = 60;  ///< at most
    int fps = 25;
    int width = 1280, height = 720;
    int threads = 0;  ///< 0 = all of the machine
    bool lightTheme = false;
    std::string shaderFolder;
    InputFiles inputs = {};  ///< that `out` must not be
    std::stop_token stop = {};
};

struct LessonFilmSummary {
    int frames = 0;
    int claims = 0, holding = 0;
    bool stopped = false;
};

/// How long a part of a lesson is on show, s: its text before anything moves, the motion, and what it has come to.
struct PartTimes {
    double before = 0, motion = 0, after = 0;
    double all() const { return before + motion + after; }
};
/// In real time where that is long enough to see, with time to read; shorter in proportion where all of them would take
/// longer than `seconds`. An Error as of sceneAt.
Expected<std::vector<PartTimes>> partTimes(const lessons::Lesson& lesson, const std::string& assets, double seconds);

/// Runs a lesson without a window and draws it: its words and claims at the left, with what was measured once it is,
/// the cloth, and under it the plot that the part is about. An Error is a file, a driver or a scene.
Expected<LessonFilmSummary> makeLessonFilm(const lessons::Lesson& lesson, const LessonFilmOptions& options);

}  // namespace clothlab::app::film
