#include "panels/work_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "actions/actions.hpp"
#include "actions/figure_caption.hpp"
#include "base/text.hpp"
#include "experiments/charts/record_labels.hpp"
#include "model/method_styles.hpp"
#include "model/step_note.hpp"
#include "widgets/numbers.hpp"
#include "widgets/plots/chart_view.hpp"
#include "widgets/scopes.hpp"

namespace clothlab::app::panels {

using actions::actionKey;
using model::curveStyle;
using model::inGrey;
using model::StepNote;
using model::WorkState;
using widgets::formatNumber;
using widgets::PlotReadout;
using worker::WorkProgress;

namespace {

using integrators::IntegratorKind;
using records::Entries;

// Durations and sizes are such that every size divides every duration.
constexpr EnumEntry kDurations[] = {{100, "0.1", "0.1 s", ""},
                                    {200, "0.2", "0.2 s", ""},
                                    {500, "0.5", "0.5 s", ""},
                                    {1000, "1", "1 s", ""},
                                    {2000, "2", "2 s", ""}};  // ms
constexpr EnumEntry kLargestSteps[] = {{20000, "20", "20 ms", ""}, {10000, "10", "10 ms", ""},
                                       {5000, "5", "5 ms", ""},    {2000, "2", "2 ms", ""},
                                       {1000, "1", "1 ms", ""},    {500, "0.5", "0.5 ms", ""}};  // us
constexpr EnumEntry kSizes[] = {{2, "2", "2 sizes", ""}, {3, "3", "3 sizes", ""}, {4, "4", "4 sizes", ""},
                                {5, "5", "5 sizes", ""}, {6, "6", "6 sizes", ""}, {7, "7", "7 sizes", ""}};
constexpr EnumEntry kDivisors[] = {{2, "2", "smallest / 2", ""},
                                   {4, "4", "smallest / 4", ""},
                                   {8, "8", "smallest / 8", ""},
                                   {16, "16", "smallest / 16", ""}};
constexpr EnumEntry kTolerances[] = {
    {0, "set", "as set", "The active tolerance: curves end in a floor where it is the larger error."},
    {6, "1e-6", "1e-6", ""},
    {8, "1e-8", "1e-8", ""},
    {10, "1e-10", "1e-10", ""}};
constexpr EnumEntry kRepeats[] = {{1, "1", "once", ""}, {3, "3", "3 times", ""}, {5, "5", "5 times", ""}};

constexpr float kLow = 390;  // points: room for the choices or the plot, not for both

constexpr const char* kWhatItDoes =
    "Runs the chosen integrators from the state shown over a set of step sizes, each half of the one "
    "before, to the same end, and measures how far the cloth ends from a fine reference. The "
    "simulation continues meanwhile; it pauses while a time is measured.";

std::string text(const Entries& record, std::string_view key) {
    const records::Value* value = records::findEntry(record, key);
    const std::string* words = value ? std::get_if<std::string>(value) : nullptr;
    return words ? *words : "";
}

std::string number(const Entries& record, std::string_view key, double scale, const char* unit, int digits = 3) {
    const double value = records::findNumber(record, key, NAN);
    return std::isfinite(value) ? fmt::format("{} {}", formatNumber(value * scale, digits), unit) : "-";
}

/// "12.4 ms", or "12.4 ms (12.4 to 19 in 3 runs)".
std::string spentText(const Entries& record) {
    std::string spent = number(record, "total_ms", 1, "ms", 4);
    const double repeats = records::findNumber(record, "repeats", 0);
    if (!(repeats > 1)) return spent;
    return fmt::format("{} ({} to {} in {} runs)", spent, formatNumber(records::findNumber(record, "total_ms", NAN), 3),
                       formatNumber(records::findNumber(record, "slowest_total_ms", NAN), 3), formatNumber(repeats));
}

/// What was varied: "BDF2, time step 5 ms".
std::string variedWords(const Entries& record) {
    std::string words;
    for (const auto& [key, value] : record) {
        if (!key.starts_with("vary.")) continue;
        const bool named = std::holds_alternative<double>(value);
        std::string label = experiments::keyLabel(key);
        label = named ? label.substr(0, label.rfind(" (")) + " " : "";
        words += (words.empty() ? "" : ", ") + label + experiments::choiceLabel(key, value);
    }
    return words;
}

widgets::Style greyStyle(const std::string& name, std::size_t n) { return inGrey(curveStyle(name, n)); }

}  // namespace

float WorkPanel::build(const Region& centre, float bottom) {
    const float margin = theme_.px(14), top = centre.y + theme_.px(64);
    const float height = std::min(bottom - top, std::max(theme_.px(400), centre.height * 0.62f));
    widgets::FloatingPanel panel("work", {centre.x + margin, bottom - height}, {centre.width - 2 * margin, height},
                                 theme_, layout_);
    if (panel.heading(
            "Work and precision", widgets_,
            fmt::format("Closes it (key {}); a measurement runs on, and its points stay.", actionKey("work.toggle"))))
        model_.closePanel();
    ImGui::SameLine(0, theme_.px(12));
    const bool low = height < theme_.px(kLow);
    buttons(low);
    if (model_.work.choosingFile) fileLine();
    makeChart();
    const bool choosing = !low || charts_.empty() || model_.work.choosing;
    if (choosing) choices();
    const WorkProgress* progress = model_.work.progress();
    if (progress && progress->running) progressBar();
    if (progress && !progress->problem.empty()) {
        widgets_.note(progress->problem, true);
        layout_.markLast("work/problem");
    }
    if (progress && (progress->running || !charts_.empty()) && !(low && !charts_.empty())) words();
    if (progress) warnings(*progress);
    if (charts_.empty()) {
        if (!progress || !progress->running) widgets_.note(chartProblem_.empty() ? kWhatItDoes : chartProblem_);
        return height;
    }
    if (low && choosing) return height;
    plot({ImGui::GetContentRegionAvail().x, ImGui::GetContentRegionAvail().y});
    return height;
}

void WorkPanel::buttons(bool low) {
    WorkState& work = model_.work;
    const bool running = work.progress() && work.progress()->running;
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - theme_.px(48);  // the button that closes
    if (running)
        actionButton("work/stop", "job.cancel", "Ends the measurement; the points so far stay.");
    else
        actionButton("work/start", "work.start", "Runs the integrators below from the state shown.");
    widgets_.flow("live", theme_.px(6), right);
    if (widgets_.toggle("work/live", "live", work.live,
                        "Keeps the simulation running while times are measured, which disturbs them."))
        work.live = !work.live;
    const auto pair = [&](const char* id, const char* first, const char* second, bool& isSecond, const char* help) {
        widgets_.flow(first, theme_.px(12), right);
        if (widgets_.toggle(fmt::format("work/{}/{}", id, first), first, !isSecond, help)) isSecond = false;
        widgets_.flow(second, theme_.px(2), right);
        if (widgets_.toggle(fmt::format("work/{}/{}", id, second), second, isSecond, help)) isSecond = true;
    };
    pair("error", "largest", "rms", work.rms,
         "The error: the largest distance of a particle from its "
         "place in the reference, or the root of the mean square.");
    pair("over", "time", "step", work.overStep,
         "Over the time spent, or over the step size: there the order of a method is its slope.");
    if (low && !charts_.empty()) {
        widgets_.flow("Choices", theme_.px(12), right);
        if (widgets_.toggle("work/choices", "Choices", work.choosing,
                            "What is measured, instead of the plot: a low window has no room for both."))
            work.choosing = !work.choosing;
    }
    widgets_.flow("Open", theme_.px(12), right);
    if (widgets_.toggle("work/open-file", "Open", work.choosingFile,
                        "Shows the file of a `clothlab sweep` with --reference."))
        work.choosingFile = !work.choosingFile;
    if (running || !work.progress() || work.progress()->records.records.empty() || work.progress()->threads == 0)
        return;
    widgets_.flow("Save", theme_.px(4), right);
    actionButton("work/save", "work.save",
                 "Writes one line per run into a new file in the working folder: `clothlab plot` draws it.");
}

void WorkPanel::fileLine() {
    WorkState& work = model_.work;
    char path[1024] = {};
    std::strncpy(path, work.path.c_str(), sizeof path - 1);
    ImGui::PushFont(theme_.small);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - theme_.px(70));
    const bool entered = ImGui::InputTextWithHint("##work/path", "FILE.ndjson of a sweep with --reference", path,
                                                  sizeof path, ImGuiInputTextFlags_EnterReturnsTrue);
    layout_.markLast("work/path");
    ImGui::PopFont();
    work.path = path;
    ImGui::SameLine(0, theme_.px(6));
    const bool pressed = widgets_.button("work/open", "Show", theme_.px(58), "Reads the file.");
    if ((entered || pressed) && !work.path.empty()) openWork(model_, work.path);
}

void WorkPanel::choice(const char* id, const char* label, std::span<const EnumEntry> table, int& value, float width,
                       std::string_view help) {
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x;
    const float labelWidth = ImGui::CalcTextSize(label).x, all = labelWidth + theme_.px(6 + width);
    if (ImGui::GetItemRectMax().x + theme_.px(12) + all <= right) ImGui::SameLine(0, theme_.px(12));
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(theme_.quiet(), "%s", label);
    widgets_.tooltip(std::string(id) + "/label", ImGui::IsItemHovered(), [&] { return std::string(help); });
    ImGui::SameLine(0, theme_.px(6));
    widgets_.choice(id, table, value, theme_.px(width));
}

/// A list with a box before each, which stays open.
void WorkPanel::integratorChoice() {
    auto& chosen = model_.work.request.integrators;
    const std::string words =
        chosen.size() == 1 ? std::string(enumLabel(chosen[0])) : fmt::format("{} integrators", chosen.size());
    ImGui::SetNextItemWidth(theme_.px(136));
    if (!ImGui::BeginCombo("##work/integrators", words.c_str(), ImGuiComboFlags_HeightLargest))
        return layout_.markLast("work/integrators");
    for (const EnumEntry& entry : enumTable(IntegratorKind{})) {
        const auto kind = IntegratorKind(entry.value);
        const auto at = std::find(chosen.begin(), chosen.end(), kind);
        bool on = at != chosen.end();
        if (ImGui::Checkbox(std::string(entry.label).c_str(), &on)) {
            if (on)
                chosen.push_back(kind);
            else
                chosen.erase(at);
        }
        const std::string id = "work/integrators/" + std::string(entry.key);
        layout_.markLast(id);
        widgets_.tooltip(id, ImGui::IsItemHovered(), [&] { return std::string(entry.help); });
    }
    ImGui::EndCombo();
}

void WorkPanel::choices() {
    WorkState& work = model_.work;
    experiments::WorkPrecisionRequest& r = work.request;
    const widgets::FontScope font(theme_.small);
    widgets::StyleScope style;
    style.measure(ImGuiStyleVar_FramePadding, {theme_.px(7), theme_.px(2)});
    integratorChoice();
    static constexpr EnumEntry kStarts[] = {{0, "now", "now", "The state shown, at rest or not."},
                                            {1, "start", "the start", "The scene's own start."}};
    int from = work.fromStart, duration = int(std::lround(r.duration * 1e3)),
        largest = int(std::lround(r.largestDt * 1e6));
    int reference = int(r.reference), tolerance = r.tolerance > 0 ? int(std::lround(-std::log10(r.tolerance))) : 0;
    choice("work/from", "from", kStarts, from, 76,
           "The state where all runs begin. It forgets its past: warm starts, and the step before.");
    choice("work/duration", "for", kDurations, duration, 62, "Simulated seconds, the same for all runs.");
    choice("work/largest", "steps", kLargestSteps, largest, 68,
           "The largest step; each next size is half of the one before.");
    choice("work/sizes", "in", kSizes, r.sizes, 72, "How many step sizes.");
    choice("work/tolerance", "tolerance", kTolerances, tolerance, 72,
           "Of the linear solves. It must be finer than the smallest error; otherwise the curves end in a floor.");
    choice("work/repeat", "each", kRepeats, r.repeat, 72,
           "How often each run is made. The fastest counts: it was disturbed least. The tooltip of a point says "
           "how far they differ.");
    choice("work/reference", "reference", enumTable(IntegratorKind{}), reference, 150,
           "Must be more accurate than all the others: change its step once, and check that the errors stay.");
    choice("work/divisor", "its step", kDivisors, r.referenceDivisor, 102, "The step of the reference.");
    work.fromStart = from != 0;
    r.duration = duration * 1e-3;
    r.largestDt = largest * 1e-6;
    r.reference = IntegratorKind(reference);
    r.tolerance = tolerance > 0 ? std::pow(10.0, -tolerance) : 0;
}

void WorkPanel::progressBar() {
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = widgets_.progress("work/progress", ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(),
                                           width, model_.work.progress()->share);
    ImGui::Dummy({width, height});
}

/// The chart is made anew only when there is something new to it: it looks through all records.
void WorkPanel::makeChart() {
    const WorkProgress* progress = model_.work.progress();
    const WorkState& work = model_.work;
    const std::size_t records = progress ? progress->records.records.size() : 0;
    const std::uint64_t serial = progress ? progress->serial : 0;
    if (serial == chartSerial_ && records == chartRecords_ && work.rms == chartRms_ && work.overStep == chartOverStep_)
        return;
    chartSerial_ = serial;
    chartRecords_ = records;
    chartRms_ = work.rms;
    chartOverStep_ = work.overStep;
    charts_.clear();
    chartProblem_.clear();
    orders_.clear();
    timesNote_.clear();
    if (records == 0) return;
    timesNote_ = experiments::timesNote(progress->records.records);
    experiments::ChartRequest request{.y = {work.rms ? "error_rms_m" : "error_m"}, .labels = true};
    const bool knowsSteps = std::ranges::any_of(progress->records.records, [](const Entries& record) {
        return std::isfinite(records::findNumber(record, experiments::kStepTaken, NAN));
    });
    if (work.overStep) request.x = knowsSteps ? experiments::kStepTaken : "integrator.dt", request.logX = true;
    auto charts = experiments::makeCharts({&progress->records, 1}, request);
    if (!charts) {
        chartProblem_ = charts.error().text();
        return;
    }
    charts_ = std::move(*charts);
    for (const experiments::ChartCurve& curve : charts_[0].curves) {
        std::vector<const Entries*> runs;
        for (const std::size_t record : curve.records) runs.push_back(&progress->records.records[record]);
        if (runs.size() < 2) continue;
        const experiments::CurveOrder measured = experiments::orderOfCurve(runs, curve.y);
        orders_ += fmt::format("{}{} {}{}", orders_.empty() ? "order measured: " : " · ", curve.name,
                               measured.order ? fmt::format("{:.2f}", *measured.order) : "none",
                               measured.why.empty() ? "" : " (" + measured.why + ")");
    }
}

void WorkPanel::words() {
    const WorkProgress& progress = *model_.work.progress();
    std::string words = progress.title;
    if (progress.threads > 0)
        words += fmt::format(" · {} thread{} · {}", progress.threads, plural(progress.threads),
                             progress.live ? "timed while the cloth moves" : "timed between its steps");
    if (progress.running) words += fmt::format(" · {:.0f} %, {}", 100 * progress.share, progress.now);
    if (!progress.saved.empty()) words += " · saved in " + progress.saved;
    if (!orders_.empty()) words += "\n" + orders_;
    if (!charts_.empty() && charts_[0].note.find("crosses") != std::string::npos) words += "\n" + charts_[0].note;
    widgets_.note(words);
    layout_.markLast("work/words");
    layout_.words("work/words", words);
}

/// A motion that has gone on is no reason: the words say where the runs began.
void WorkPanel::warnings(const WorkProgress& progress) {
    constexpr std::string_view kMeasured[] = {"threads", "solver.", "preconditioner.", "integrator."};
    const StepNote note = stepNote(progress.origin, model_, kMeasured);
    stale_ = note.stale();
    const widgets::FontScope font(theme_.small);
    if (!progress.running && !timesNote_.empty())
        widgets_.warning("work/busy", timesNote_, timesNote_ + ". Press Measure for a new measurement.", false);
    if (stale_) widgets_.warning("work/of", note.words, note.help + " Press Measure for a new measurement.", false);
}

const Entries& WorkPanel::findRecord(const experiments::ChartCurve& curve, const PlotReadout& readout) const {
    const auto at = std::size_t(readout.sample);
    return model_.work.progress()->records.records[readout.lost ? curve.lost[at].record : curve.records[at]];
}

void WorkPanel::plot(ImVec2 size) {
    const WorkProgress& progress = *model_.work.progress();
    const auto source = [&] {
        std::vector<std::string> lines{progress.title};
        if (progress.threads == 0) return lines;  // a file: it does not say more
        for (std::string& line : actions::figureCaption(model_, progress.origin, {}, progress.threads, true))
            lines.push_back(std::move(line));
        return lines;
    };
    const PlotReadout readout = widgets::drawChart(charts_[0], "work.plot", size,
                                                   {.theme = theme_,
                                                    .pickStyle = stale_ ? greyStyle : curveStyle,
                                                    .tooltip = false,
                                                    .views = &model_.plotViews,
                                                    .source = source},
                                                   layout_);
    if (!readout.hovered || readout.nearest < 0 || readout.sample < 0) return;
    const experiments::ChartCurve& curve = charts_[0].curves[readout.nearest];
    pointTooltip(curve, readout);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        scene::Scene scene = model_.scene;
        scene.settings = model_.settings;
        model_.settings = experiments::settingsOfRun(findRecord(curve, readout), std::move(scene));
    }
}

/// The run under the pointer.
void WorkPanel::pointTooltip(const experiments::ChartCurve& curve, const PlotReadout& readout) const {
    const Entries& record = findRecord(curve, readout);
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(variedWords(record).c_str());
    std::string words;
    if (readout.lost) {
        words = fmt::format("{} after {}", text(record, "status"), number(record, "time_s", 1, "s"));
        if (const std::string message = text(record, "message"); !message.empty()) words += "\n" + message;
    } else {
        words = fmt::format("error {} · rms {}\n{} spent · {} per step · {} iterations per step",
                            number(record, "error_m", 1e3, "mm"), number(record, "error_rms_m", 1e3, "mm"),
                            spentText(record), number(record, "mean_step_ms", 1, "ms"),
                            formatNumber(records::findNumber(record, "mean_iterations", 0), 3));
        const double taken = experiments::findStepLength(record),
                     dt = records::findNumber(record, "settings.integrator.dt", NAN);
        if (taken < 0.99 * dt)
            words += fmt::format("\nin substeps of {}", number(record, experiments::kStepTaken, 1e3, "ms"));
        if (const double changes = records::findNumber(record, "slack_changes", 0); changes > 0)
            words += fmt::format("\n{} times a spring turned slack or taut", formatNumber(changes, 7));
        if (const double steps = records::findNumber(record, "contact_steps", 0); steps > 0)
            words += fmt::format("\n{} step{} with contact", formatNumber(steps, 7), plural(steps));
        if (text(record, "status") == "unconverged") words += "\nsome solves ended at their limit of iterations";
    }
    words += "\nClick to use that integrator and step.";
    ImGui::PushTextWrapPos(theme_.px(370));
    ImGui::TextColored(theme_.quiet(), "%s", words.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

}  // namespace clothlab::app::panels
