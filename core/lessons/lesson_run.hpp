#pragma once

#include <functional>
#include <stop_token>

#include "lessons/facts.hpp"
#include "lessons/lesson.hpp"

namespace clothlab::simulation {
class Session;
}

namespace clothlab::lessons {

/// A lesson without a window: takes the steps of every lesson step, races, and judges its claims.
struct RunControl {
    int threads = 0;  ///< 0 = all hardware threads
    std::stop_token stop = {};
    std::function<void(std::size_t step, std::span<const Facts> facts)> onStep = {};  ///< after each, its facts last
    /// Before the motion of each, and after each step of it: the motion, and the results so far.
    std::function<void(std::size_t step, const simulation::Session& session, const Facts& facts)> onState = {};
};

/// One Facts for each step of the lesson. An Error when a scene cannot be built, or a race has no system.
Expected<std::vector<Facts>> runLesson(const Lesson& lesson, const std::string& assetsFolder,
                                       const RunControl& control = {});

/// The numbers for the claims of the step `index`.
Lookup lookupAt(std::span<const Facts> facts, std::size_t index);

}  // namespace clothlab::lessons
