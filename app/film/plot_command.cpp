#include "film/plot_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>

#include "base/text.hpp"
#include "commands/interrupt.hpp"
#include "commands/load_scene.hpp"
#include "experiments/charts/chart.hpp"
#include "film/chart_picture.hpp"

namespace clothlab::app::film {

using commands::complain;

namespace {

std::vector<std::string> splitList(const std::string& text) {
    return text.empty() ? std::vector<std::string>{} : splitText(text, ',');
}

std::optional<bool> scale(bool logarithmic, bool linear) {
    return logarithmic || linear ? std::optional(logarithmic) : std::nullopt;
}

/// "hang: work", the scene where the lines have it, and the files.
std::string displayTitle(std::span<const records::RecordFile> files) {
    std::vector<std::string> names;
    for (const records::RecordFile& file : files) names.push_back(std::filesystem::path(file.name).stem().string());
    const records::Value* scene = records::findEntry(files.front().records.front(), "scene");
    const std::string* word = scene ? std::get_if<std::string>(scene) : nullptr;
    return fmt::format("{}{}{}", word ? *word : "", word ? ": " : "",
                       names.size() > 6 ? fmt::format("{} files, {} to {}", names.size(), names.front(), names.back())
                                        : fmt::format("{}", fmt::join(names, ", ")));
}

Expected<void> writeCharts(const commands::PlotCommand& command, const std::string& title,
                           std::span<const experiments::Chart> charts) {
    InputFiles inputs;
    for (const std::string& file : command.files) inputs.add(file);
    if (command.out.ends_with(".csv")) return writeFile(command.out, experiments::chartsCsv(charts), inputs);
    const auto theme = widgets::themeNamed(command.theme);
    if (!theme) return fail(theme.error());
    std::string svg;
    const auto image = drawChartPicture(charts, title, command.width, command.height, nullptr, *theme, &svg);
    if (!image) return fail(image.error());
    if (command.out.ends_with(".svg")) return writeFile(command.out, svg, inputs);
    return render::writePng(command.out, *image, inputs);
}

}  // namespace

int runPlot(const commands::PlotCommand& command) {
    if (!command.out.ends_with(".png") && !command.out.ends_with(".svg") && !command.out.ends_with(".csv"))
        return complain(
            Error{.message = fmt::format("--out {}: this is neither a picture nor a table", shownPath(command.out)),
                  .choices = {"FILE.png", "FILE.svg", "FILE.csv"}});
    std::vector<records::RecordFile> files;
    for (const std::string& path : command.files) {
        auto file = records::readRecords(path);
        if (!file) return complain(file.error());
        files.push_back(std::move(*file));
    }
    const auto charts = experiments::makeCharts(files, {.x = command.x,
                                                        .y = splitList(command.y),
                                                        .by = splitList(command.by),
                                                        .logX = scale(command.logX, command.linearX),
                                                        .logY = scale(command.logY, command.linearY)});
    if (!charts) return complain(charts.error());
    if (commands::Interrupt::signal() != 0)
        return commands::signalExitCode("before anything was written", commands::kExitDone);
    if (const auto done = writeCharts(command, command.title.empty() ? displayTitle(files) : command.title, *charts);
        !done)
        return complain(done.error());
    std::size_t curves = 0, points = 0;
    for (const experiments::Chart& chart : *charts) {
        curves += chart.curves.size();
        for (const experiments::ChartCurve& curve : chart.curves) points += curve.x.size();
    }
    return commands::say(fmt::format("{}: {} plot{}, {} curve{}, {} points\n", shownPath(command.out), charts->size(),
                                     plural(charts->size()), curves, plural(curves), points));
}

}  // namespace clothlab::app::film
