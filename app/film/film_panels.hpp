#pragma once

#include <memory>

#include "film/film.hpp"
#include "scene/scene.hpp"

namespace clothlab::app::film {

/// The window's own panels for a film of `steps` steps. No input and no second thread: they show the drawn snapshot and
/// the reported steps. Needs the film's context to be current.
Expected<std::unique_ptr<FilmPanels>> makeFilmPanels(const scene::Scene& scene, int steps, int width, int height);

}  // namespace clothlab::app::film
