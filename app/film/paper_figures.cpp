#include "film/paper_figures.hpp"

#include <fmt/format.h>

#include "base/output.hpp"
#include "canvas/imgui_canvas.hpp"
#include "film/egl_context.hpp"
#include "panels/paper_plot.hpp"
#include "widgets/plots/figure.hpp"

namespace clothlab::app::film {

Expected<void> drawPaperFigures(const papers::Reproduction& table, const papers::TableText& text,
                                const std::string& folder) {
    std::vector<papers::PaperFigure> figures = papers::makeFigures(table, text);
    if (figures.empty()) return fail(fmt::format("--figures: {} has no figure that is drawn", table.table));
    const auto context = EglContext::create();
    if (!context) return fail(context.error());
    const auto canvas = canvas::ImGuiCanvas::create();
    if (!canvas) return fail(canvas.error());
    const widgets::UiTheme theme = (*canvas)->makeTheme(1);
    (*canvas)->setSize(1, 1, 1);
    std::vector<std::pair<std::string, std::string>> files;
    (*canvas)->beginFrame();
    const bool one = figures.size() == 1;
    for (std::size_t k = 0; k < figures.size(); ++k) {
        const panels::PaperPlot plot(std::move(figures[k]), "figure");
        widgets::PlotSpec spec = plot.spec();
        spec.source = [&] { return panels::paperCaption(table, ""); };
        files.emplace_back(one ? table.table + ".svg" : fmt::format("{}-{}.svg", table.table, k + 1),
                           widgets::plotSvg(spec, plot.curves(), theme));
    }
    (*canvas)->endFrame();
    std::vector<std::string_view> names;
    std::vector<std::pair<std::string_view, std::string>> contents;
    for (const auto& [name, svg] : files) names.push_back(name), contents.emplace_back(name, svg);
    const auto out = OutputFolder::create(folder, names, {});
    return out ? out->write(contents) : fail(out.error());
}

}  // namespace clothlab::app::film
