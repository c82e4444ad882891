#include "records/positions_forms.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "records/surface_files.hpp"

namespace clothlab::records {
namespace {

using Files = std::vector<std::string>;

/// What an ending stands for.
struct Form {
    std::string_view ending;
    Files (*files)(const std::string& path);
    Expected<std::unique_ptr<PositionsFile>> (*create)(const std::string&, const cloth::ClothModel&, const InputFiles&);
};

constexpr Form kForms[] = {
    {".npy",
     [](const std::string& path) {
         return Files{path, numPySteps(path)};
     },
     createNumPy},
    {".ndjson", [](const std::string& path) { return Files{path}; }, createLines},
    {".pc2",
     [](const std::string& path) {
         return Files{path, pointCacheMesh(path)};
     },
     createPointCache},
    {".obj", [](const std::string& path) { return Files{numberedObj(path, 0)}; }, createNumberedObjs},
};

const Form* findForm(const std::string& path) {
    const std::string ending = isStandardOutput(path) ? ".ndjson" : std::filesystem::path(path).extension().string();
    for (const Form& form : kForms)
        if (form.ending == ending) return &form;
    return nullptr;
}

}  // namespace

Expected<std::unique_ptr<PositionsFile>> createPositions(const std::string& path, const cloth::ClothModel& model,
                                                         const InputFiles& inputs) {
    if (const Form* form = findForm(path)) return form->create(path, model, inputs);
    Error error{.message = "the ending selects the format of positions", .file = path};
    for (const Form& form : kForms) error.choices.push_back(fmt::format("FILE{}", form.ending));
    error.choices.emplace_back("-");
    return fail(std::move(error));
}

std::vector<std::string> positionsFiles(const std::string& path) {
    const Form* form = findForm(path);
    return form ? form->files(path) : Files{path};
}

}  // namespace clothlab::records
