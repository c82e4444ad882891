#include "lessons/lesson.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/input.hpp"
#include "base/text.hpp"
#include "experiments/race/race.hpp"
#include "lessons/facts.hpp"
#include "lessons/plots.hpp"
#include "scene/builder.hpp"
#include "scene/toml/table_reader.hpp"

namespace clothlab::lessons {
namespace {

std::filesystem::path lessonsFolder(const std::string& assetsFolder) {
    return std::filesystem::path(assetsFolder) / "lessons";
}

/// The scene that a step stands on, and the line that names it.
std::pair<const std::string*, int> sceneName(const Lesson& lesson, std::size_t index) {
    for (std::size_t k = index + 1; k-- > 0;)
        if (!lesson.steps[k].scene.empty()) return {&lesson.steps[k].scene, lesson.steps[k].sceneLine};
    return {&lesson.scene, lesson.sceneLine};
}

Expected<void> assign(scene::Scene& scene, const Lesson& lesson, const std::vector<Assignment>& assignments) {
    for (const Assignment& one : assignments)
        if (auto done = scene::applyOverride(scene, one.text, ""); !done)
            return scene::failAt(lesson.file, one.line, one.column, done.error().message, done.error().choices);
    return {};
}

Expected<void> checkControls(const Lesson& lesson, scene::Scene& scene) {
    for (const std::string& key : lesson.controls)
        if (auto field = scene::overrideField(scene, key); !field)
            return scene::failAt(lesson.file, 1, 1, "controls: " + field.error().message, field.error().choices);
    return {};
}

/// Whether the step comes to what the plot shows: a race has to be run, and slow motion to be asked for.
bool comesTo(const LessonStep& step, std::string_view plot) {
    if (plot == enumKey(PanelPlot::Race)) return !step.race.empty();
    if (plot == enumKey(PanelPlot::SlowMotion)) return step.slow;
    return true;
}

Expected<void> checkPlots(const Lesson& lesson) {
    const auto refuse = [&](int line, std::string_view plot, std::string_view what) {
        const bool race = plot == enumKey(PanelPlot::Race);
        return scene::failAt(lesson.file, line, 1, fmt::format("plot = \"{}\", and {}", plot, what),
                             {race ? "race = [\"jacobi\", ...]" : "slow = true"});
    };
    for (const LessonStep& step : lesson.steps)
        if (!comesTo(step, step.plot)) return refuse(step.line, step.plot, "the step has none");
    const auto any = [&](const LessonStep& step) { return comesTo(step, lesson.plot); };
    if (std::ranges::none_of(lesson.steps, any)) return refuse(lesson.plotLine, lesson.plot, "no step has one");
    return {};
}

/// Everything of a step that the file alone does not tell.
Expected<void> checkStep(const Lesson& lesson, std::size_t index, const std::string& assetsFolder) {
    const LessonStep& step = lesson.steps[index];
    auto scene = sceneAt(lesson, index, assetsFolder);
    if (!scene) return fail(scene.error());
    const auto refuse = [&](Error error) {
        return scene::failAt(lesson.file, step.line, 1, std::move(error.message), std::move(error.choices));
    };
    if (const scene::SettingsFault fault = scene::findFault(scene->settings); !fault.message.empty())
        return refuse({.message = fmt::format("{}: {}", fault.key, fault.message)});
    if (auto ghost = ghostAt(lesson, index, assetsFolder); !ghost) return fail(ghost.error());
    for (const auto* places : {&step.pin, &step.unpin})
        for (const GridPlace place : *places)
            if (auto particle = particleAt(*scene, place); !particle) return refuse(particle.error());
    if (auto field = experiments::contestantsNamed(scene->settings, step.race); !field) return refuse(field.error());
    if (!step.point.empty())
        if (auto field = scene::overrideField(*scene, step.point); !field) return refuse(field.error());
    return checkControls(lesson, *scene);
}

}  // namespace

Expected<Lesson> readLesson(const std::string& path, const std::string& assetsFolder) {
    const auto text = readFile(path);
    if (!text) return fail(text.error());
    auto lesson = readLessonText(*text, path, checkQuantity);
    if (!lesson) return lesson;
    if (auto done = checkPlots(*lesson); !done) return fail(done.error());
    for (std::size_t k = 0; k < lesson->steps.size(); ++k)
        if (auto done = checkStep(*lesson, k, assetsFolder); !done) return fail(done.error());
    return lesson;
}

std::vector<Lesson> readableLessons(const std::string& assetsFolder, std::vector<Error>& broken) {
    std::vector<Lesson> lessons;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(lessonsFolder(assetsFolder), ignored)) {
        if (entry.path().extension() != ".md") continue;
        auto lesson = readLesson(entry.path().string(), assetsFolder);
        if (lesson)
            lessons.push_back(std::move(*lesson));
        else
            broken.push_back(lesson.error());
    }
    std::ranges::sort(lessons, [](const Lesson& a, const Lesson& b) {
        return std::tie(a.level, a.order, a.name) < std::tie(b.level, b.order, b.name);
    });
    return lessons;
}

Expected<std::vector<Lesson>> builtInLessons(const std::string& assetsFolder) {
    std::vector<Error> broken;
    auto lessons = readableLessons(assetsFolder, broken);
    if (!broken.empty()) return fail(std::move(broken.front()));
    return lessons;
}

Expected<Lesson> findLesson(const std::string& nameOrPath, const std::string& assetsFolder) {
    if (nameOrPath.ends_with(".md")) return readLesson(nameOrPath, assetsFolder);
    Error error{.message = fmt::format("unknown lesson '{}'", shownPath(nameOrPath)), .choices = {}};
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(lessonsFolder(assetsFolder), ignored)) {
        if (entry.path().extension() != ".md") continue;
        if (entry.path().stem() == nameOrPath) return readLesson(entry.path().string(), assetsFolder);
        error.choices.push_back(entry.path().stem().string());
    }
    std::ranges::sort(error.choices);
    error.choices.emplace_back("a file that ends in .md");
    return fail(std::move(error));
}

Expected<scene::Scene> sceneAt(const Lesson& lesson, std::size_t index, const std::string& assetsFolder, bool before) {
    const auto [name, line] = sceneName(lesson, index);
    auto scene = scene::findScene(*name, assetsFolder);
    if (!scene) {
        Error error = scene.error();
        if (error.file.empty()) error.file = lesson.file, error.line = line;
        return fail(std::move(error));
    }
    if (auto done = assign(*scene, lesson, lesson.settings); !done) return fail(done.error());
    for (std::size_t k = 0; k < index + (before ? 0 : 1); ++k)
        if (auto done = assign(*scene, lesson, lesson.steps[k].set); !done) return fail(done.error());
    return scene;
}

Expected<scene::Settings> ghostAt(const Lesson& lesson, std::size_t index, const std::string& assetsFolder) {
    const std::vector<Assignment>& own = lesson.steps[index].ghost;
    auto scene = sceneAt(lesson, index, assetsFolder, own.empty());
    if (!scene) return fail(scene.error());
    if (auto done = assign(*scene, lesson, own); !done) return fail(done.error());
    return scene->settings;
}

std::vector<simulation::Edit> lessonEdits(const LessonStep& step, const scene::Scene& scene,
                                          const scene::Settings& ghost) {
    std::vector<simulation::Edit> edits;
    if (step.branch.value_or(false))
        edits.emplace_back(simulation::edits::Ghost{simulation::difference(scene.settings, ghost)});
    for (const GridPlace place : step.pin)
        if (const auto particle = particleAt(scene, place))
            edits.emplace_back(simulation::edits::Pin{*particle, {}, {}});
    for (const GridPlace place : step.unpin)
        if (const auto particle = particleAt(scene, place)) edits.emplace_back(simulation::edits::Unpin{*particle});
    return edits;
}

std::string_view plotAt(const Lesson& lesson, std::size_t index) {
    const LessonStep& step = lesson.steps[index];
    if (!step.plot.empty()) return step.plot;
    return comesTo(step, lesson.plot) ? std::string_view(lesson.plot) : std::string_view();
}

bool beginsAnew(const Lesson& lesson, std::size_t index) {
    const LessonStep& step = lesson.steps[index];
    return index == 0 || step.restart || !step.scene.empty() ||
           std::ranges::any_of(step.set, [](const Assignment& one) {
               return one.key().starts_with("cloth.") || one.key().starts_with("region.");
           });
}

Expected<Index> particleAt(const scene::Scene& scene, GridPlace place) {
    const scene::ParticleRange range{
        .rowFrom = place.row, .rowTo = place.row, .columnFrom = place.column, .columnTo = place.column};
    auto indices = scene::resolve(range, scene.cloths.front());
    if (!indices) return fail(indices.error());
    return indices->front();
}

}  // namespace clothlab::lessons
