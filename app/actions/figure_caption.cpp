#include "actions/figure_caption.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/build_info.hpp"
#include "base/platform.hpp"
#include "base/text.hpp"
#include "widgets/numbers.hpp"

namespace clothlab::app::actions {
namespace {

using model::UiModel;

/// "stretch stiffness 6,000 N/m (file: 600 N/m)": each field that differs.
template <class Described>
void addDifferences(Described own, Described file, std::string& words) {
    FieldList here, there;
    describe(own, here);
    describe(file, there);
    for (std::size_t k = 0; k < here.fields().size(); ++k) {
        const Field &field = here.fields()[k], &other = there.fields()[k];
        if (field.key == "threads" || equalValues(field.ref, other.ref)) continue;
        words += fmt::format("{}{} {} (file: {})", words.empty() ? "" : ", ", field.meta.label,
                             widgets::fieldText(field), widgets::fieldText(other));
    }
}

/// The scene as its file has it, where that can be read.
std::optional<scene::Scene> inItsFile(const UiModel& model, const std::string& name) {
    const bool open = name == model.scene.name, byPath = open && model.scene.file.ends_with(".toml");
    auto found = scene::findScene(byPath ? model.scene.file : name, model.lessons.assets);
    return found ? std::optional(std::move(*found)) : std::nullopt;
}

/// In what it differs from the file; of a grid only where the scene is the open one.
std::string differences(const UiModel& model, const std::string& name, const scene::Settings& settings) {
    const auto file = inItsFile(model, name);
    if (!file) return {};
    std::string words;
    if (name == model.scene.name && !model.scene.cloths.empty() && !file->cloths.empty())
        addDifferences(model.activePatch, file->cloths.front(), words);
    addDifferences(settings, file->settings, words);
    return words.empty() ? "Settings as in the scene's file."
                         : fmt::format("Settings that differ from the scene's file: {}.", words);
}

std::vector<std::string> makeCaption(const UiModel& model, const std::string& name, std::int64_t step,
                                     const scene::Settings* settings, bool touched) {
    std::string line = fmt::format("Scene {}, step {}.", name, step);
    if (settings)
        if (const std::string words = differences(model, name, *settings); !words.empty()) line += " " + words;
    std::vector<std::string> lines{line};
    if (touched) lines.emplace_back("The motion was changed on the way: settings, hand, pins or cuts.");
    return lines;
}

}  // namespace

std::string machineLine(int threads) {
    const std::string cpu = platform::cpuName();
    return fmt::format("{}{}{} thread{}, Clothlab {}", cpu, cpu.empty() ? "" : ", ", threads, plural(threads),
                       buildLine());
}

std::vector<std::string> figureCaption(const UiModel& model, bool times) {
    const worker::Snapshot& now = *model.snapshot;
    const std::string& name = now.mesh ? now.mesh->sceneName : model.scene.name;
    const scene::Settings& settings = now.madeWith ? *now.madeWith : now.settings;
    std::vector<std::string> lines = makeCaption(model, name, now.step, &settings, !now.plain);
    if (times) lines.push_back(fmt::format("Times: {}.", machineLine(now.report.threads)));
    return lines;
}

std::vector<std::string> figureCaption(const UiModel& model, const worker::StepOrigin& of, const std::string& scene,
                                       int threads, bool times) {
    const worker::Snapshot& now = *model.snapshot;
    const bool sameCloth = now.mesh && now.mesh->revision == of.mesh;
    if (scene.empty() && !sameCloth) return {fmt::format("Step {} of a cloth that was open before.", of.step)};
    const std::string name = !scene.empty() ? scene : now.mesh ? now.mesh->sceneName : model.scene.name;
    std::vector<std::string> lines = makeCaption(model, name, of.step, of.made.get(), sameCloth && !now.plain);
    if (times && threads > 0) lines.push_back(fmt::format("Times: {}.", machineLine(threads)));
    return lines;
}

}  // namespace clothlab::app::actions
