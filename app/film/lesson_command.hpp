#pragma once

#include "commands/options.hpp"
#include "lessons/lesson.hpp"

namespace clothlab::app::film {

/// `clothlab lesson NAME --film FILE`. Returns the exit code: 1 where a claim does not hold.
int runLessonFilm(const commands::LessonCommand& command, const lessons::Lesson& lesson);

}  // namespace clothlab::app::film
