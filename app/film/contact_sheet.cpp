#include "film/contact_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "canvas/imgui_canvas.hpp"
#include "film/studio.hpp"
#include "render/gl/capture.hpp"
#include "simulation/simulation.hpp"
#include "widgets/numbers.hpp"
#include "widgets/widgets.hpp"
#include "worker/snapshots/publish.hpp"

namespace clothlab::app::film {
namespace {

constexpr int kRim = 16, kGap = 10;  // pixels, at a width of 1280
constexpr int kLeastCell = 96;       // pixels

struct Cell {
    render::Image picture;
    std::string caption;
};

/// Where things are, in pixels.
struct Layout {
    int title, caption, gap, rim, cellWidth, cellHeight;

    int x(int column) const { return rim + column * (cellWidth + gap); }
    int y(int row) const { return rim + title + row * (cellHeight + caption + gap); }
};

Layout makeLayout(const SheetGrid& grid, const SheetOptions& options, float scale) {
    const auto px = [&](int points) { return int(std::lround(scale * float(points))); };
    Layout l{.title = px(30), .caption = px(20), .gap = px(kGap), .rim = px(kRim), .cellWidth = 0, .cellHeight = 0};
    l.cellWidth = (options.width - 2 * l.rim - (grid.columns - 1) * l.gap) / grid.columns;
    l.cellHeight = (options.height - 2 * l.rim - l.title - (grid.rows - 1) * l.gap) / grid.rows - l.caption;
    return l;
}

/// "stretch stiffness 600 N/m · integrator BDF2 · 0.4 s"; a key of the cloth as it is written.
std::string makeCaption(const experiments::SweepPlan& plan, int run) {
    scene::Scene scene = plan.runScene(run);
    FieldList fields;
    describe(scene.settings, fields);
    std::string caption;
    for (const auto& [key, value] : plan.runValues(run)) {
        const Field* field = fields.find(key);
        caption += field ? fmt::format("{} {} · ", field->meta.label, widgets::fieldText(*field))
                         : fmt::format("{} {} · ", key, value);
    }
    return caption + fmt::format("{:.3g} s", plan.seconds(scene));
}

/// The last state of a run. A run that cannot start is an Error.
Expected<Cell> drawRun(const experiments::SweepPlan& plan, int run, const SheetOptions& options, Studio& studio,
                       SheetSummary& summary) {
    const scene::Scene scene = plan.runScene(run);
    const int steps = plan.countSteps(scene);
    Cell cell{.picture = {}, .caption = makeCaption(plan, run)};
    auto simulation = simulation::Simulation::create(scene, options.threads);
    if (!simulation) return fail(simulation.error());
    worker::Snapshot snapshot = firstSnapshot(**simulation);
    worker::fillSnapshot(**simulation, render::requestFor(options.overlay), snapshot);
    studio.renderer->fitTo(snapshot);
    for (int step = 0; step < steps; ++step) {
        (*simulation)->step({.stop = options.stop});
        if (options.stop.stop_requested()) {
            summary.stopped = true;
            return cell;
        }
        if (worker::lastProblem(**simulation).empty()) continue;
        ++summary.failed;
        cell.caption += fmt::format(" · stopped at step {}", (*simulation)->state().step);
        break;
    }
    worker::fillSnapshot(**simulation, render::requestFor(options.overlay), snapshot);
    worker::refreshTopology(**simulation, snapshot.mesh);
    const int width = studio.target->width(), height = studio.target->height();
    render::ViewState view = initialView(snapshot, width, height);
    view.overlay = options.overlay;
    view.lightTheme = options.lightTheme;
    studio.renderer->draw(snapshot, view, {studio.target->framebuffer(), width, height});
    cell.picture = render::readFramebuffer(studio.target->framebuffer(), height, 0, 0, width, height);
    return cell;
}

/// Title and captions on the ground of the panels.
Expected<render::Image> drawWords(const std::vector<Cell>& cells, const std::string& title, const SheetGrid& grid,
                                  const Layout& l, const SheetOptions& options, float scale) {
    const auto target = render::OffscreenTarget::create(options.width, options.height);
    if (!target) return fail(target.error());
    const auto canvas = canvas::ImGuiCanvas::create();
    if (!canvas) return fail(canvas.error());
    widgets::UiTheme theme = (*canvas)->makeTheme(scale);
    widgets::applyColors(options.lightTheme ? widgets::ThemeKind::Light : widgets::ThemeKind::Dark, theme);
    (*canvas)->setSize(options.width, options.height, 1);
    (*canvas)->beginFrame();
    ImDrawList* draw = ImGui::GetBackgroundDrawList();
    const auto words = [&](ImFont* font, int x, int y, int width, ImU32 ink, const std::string& text) {
        const widgets::FontScope scope(font);
        draw->AddText({float(x), float(y)}, ink, widgets::fitted(text, float(width)).c_str());
    };
    words(theme.strong, l.rim, l.rim, options.width - 2 * l.rim, theme.colors.text, title);
    for (std::size_t k = 0; k < cells.size(); ++k) {
        const int row = int(k) / grid.columns, column = int(k) % grid.columns;
        words(theme.small, l.x(column), l.y(row) + l.cellHeight + 2, l.cellWidth, theme.colors.text, cells[k].caption);
    }
    (*canvas)->endFrame();
    const render::DrawTarget place{(*target)->framebuffer(), options.width, options.height};
    (*canvas)->clear(place, theme);
    (*canvas)->paint(place);
    return render::readFramebuffer(place.framebuffer, options.height, 0, 0, options.width, options.height);
}

void paste(const render::Image& picture, int x, int y, render::Image& sheet) {
    for (int row = 0; row < picture.height; ++row)
        std::copy_n(picture.at(0, row), 3 * std::size_t(picture.width),
                    sheet.rgb.begin() + std::ptrdiff_t(3) * ((y + row) * sheet.width + x));
}

}  // namespace

SheetGrid sheetGrid(const experiments::SweepPlan& plan) {
    if (plan.varied.size() == 2) return {int(plan.varied[0].values.size()), int(plan.varied[1].values.size())};
    const int columns = int(std::ceil(std::sqrt(double(plan.runs))));
    return {(plan.runs + columns - 1) / columns, columns};
}

Expected<SheetSummary> drawContactSheet(const experiments::SweepPlan& plan, const SheetOptions& options) {
    if (plan.varied.size() > 2) return fail("a contact sheet has a grid of one or two --vary");
    const SheetGrid grid = sheetGrid(plan);
    const float scale = std::clamp(std::min(float(options.width) / 1280, float(options.height) / 720), 0.5f, 4.0f);
    const Layout l = makeLayout(grid, options, scale);
    if (l.cellWidth < kLeastCell || l.cellHeight < kLeastCell)
        return fail(fmt::format("{} pictures have no room in {} x {}: take fewer values or a larger --size", plan.runs,
                                options.width, options.height));
    if (auto fits = checkOutput(options.out, options.inputs); !fits) return fail(fits.error());
    SheetSummary summary{.rows = grid.rows, .columns = grid.columns};
    std::vector<Cell> cells;
    render::Image sheet;
    {
        auto studio = openStudio(l.cellWidth, l.cellHeight, options.shaderFolder);
        if (!studio) return fail(studio.error());
        for (int run = 0; run < plan.runs; ++run, ++summary.pictures) {
            if (options.progress) options.progress(run, plan.runs);
            auto cell = drawRun(plan, run, options, *studio, summary);
            if (!cell) return fail(cell.error());
            if (summary.stopped) return summary;
            cells.push_back(std::move(*cell));
        }
        const std::string title = fmt::format("{}, step {}", plan.base.title.empty() ? plan.base.name : plan.base.title,
                                              plan.countSteps(plan.base));
        auto words = drawWords(cells, title, grid, l, options, scale);
        if (!words) return fail(words.error());
        sheet = std::move(*words);
    }
    for (std::size_t k = 0; k < cells.size(); ++k)
        paste(cells[k].picture, l.x(int(k) % grid.columns), l.y(int(k) / grid.columns), sheet);
    if (auto written = render::writePng(options.out, sheet, options.inputs); !written) return fail(written.error());
    return summary;
}

}  // namespace clothlab::app::film
