#include "model/tools/picture_settings.hpp"

#include <fmt/format.h>

#include "integrators/methods/catalogue.hpp"
#include "solvers/catalogue.hpp"

namespace clothlab::app::model {

void describe(PictureSettings& settings, FieldList& list) {
    list.add("picture.of", settings.of, {.label = "picture of", .help = "What F12 saves, and what a film shows."});
    list.add("film.format", settings.format, {.label = "film as", .help = "Both need ffmpeg."});
    list.add("film.steps", settings.steps,
             {.label = "steps of a film",
              .min = 1,
              .max = 100'000,
              .sliderMin = 10,
              .sliderMax = 1000,
              .logarithmic = true,
              .help = "One frame per step, from the current state, however long a step takes."});
}

std::optional<Expected<void>> assign(PictureSettings& settings, const std::string& assignment) {
    FieldList list;
    describe(settings, list);
    const std::size_t equals = assignment.find('=');
    const Field* field = list.find(assignment.substr(0, equals));
    if (!field || equals == assignment.npos) return {};
    return assignText(*field, assignment.substr(equals + 1));
}

std::string pictureName(const worker::Snapshot& now) {
    std::string name = fmt::format("clothlab-{}-{}", now.mesh ? now.mesh->sceneName : "", now.step);
    if (!now.madeWith) return name;  // the start: no method has made it
    const integrators::IntegratorKind integrator = now.madeWith->integrator.kind;
    if (!integrators::usesSolver(integrator)) return fmt::format("{}-{}", name, enumKey(integrator));
    const solvers::SolverKind solver = now.madeWith->solver.kind;
    name += fmt::format("-{}", enumKey(solver));
    return solvers::usesPreconditioner(solver) ? fmt::format("{}-{}", name, enumKey(now.madeWith->preconditioner.kind))
                                               : name;
}

}  // namespace clothlab::app::model
