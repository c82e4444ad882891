#include "experiments/charts/chart.hpp"
#include "experiments/charts/record_labels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <numeric>

#include "base/text.hpp"

namespace clothlab::experiments {
namespace {

using Files = std::span<const records::RecordFile>;

constexpr const char* kWork = "ms_per_simulated_s";
constexpr double kLogFrom = 10;  // largest over smallest value

bool isNumeric(Files files, const std::string& key) {
    for (const records::RecordFile& file : files)
        for (const records::Entries& record : file.records)
            if (std::isfinite(records::findNumber(record, key, NAN))) return true;
    return false;
}

Expected<std::string> numericKey(Files files, const std::string& key) {
    const std::string found = records::resolveKey(files, key);
    if (!found.empty() && isNumeric(files, found)) return found;
    return fail(Error{.message = fmt::format("{} '{}' in these files; settings of a sweep can be used as well",
                                             found.empty() ? "there is no" : "there are no numbers under", shown(key)),
                      .choices = records::numericKeys(files, false)});
}

bool isReport(const records::Entries& record) {
    return !records::findEntry(record, "run") && records::findEntry(record, "step") &&
           records::findEntry(record, "time_s");
}

/// The run came to its end.
bool isWhole(const records::Entries& record) {
    const records::Value* status = records::findEntry(record, "status");
    const std::string* text = status ? std::get_if<std::string>(status) : nullptr;
    return !text || *text == "ok" || *text == "unconverged";
}

std::string endLabel(const records::Entries& record) {
    return fmt::format("step {:.0f}: {}", records::findNumber(record, "step"),
                       valueLabel("status", *records::findEntry(record, "status")));
}

/// Where runs were stopped, and by what.
std::string describeEnds(const Chart& chart, bool several) {
    std::vector<std::string> ends;
    for (const ChartCurve& curve : chart.curves)
        for (const ChartCurve::Lost& lost : curve.lost) {
            std::string end = several ? curve.name + ", " + lost.label : lost.label;
            if (std::ranges::find(ends, end) == ends.end()) ends.push_back(std::move(end));
        }
    return ends.empty() ? "" : fmt::format("crosses at the upper edge: {}", fmt::join(ends, "; "));
}

void chooseScales(Chart& chart, const ChartRequest& request) {
    const auto spread = [&](std::vector<double> ChartCurve::*values) {
        double low = std::numeric_limits<double>::infinity(), high = 0;
        for (const ChartCurve& curve : chart.curves)
            for (const double v : curve.*values)
                if (std::isfinite(v)) {
                    low = std::min(low, v);
                    high = std::max(high, v);
                }
        return low > 0 && high >= kLogFrom * low;
    };
    chart.logX = request.logX.value_or(spread(&ChartCurve::x));
    chart.logY = request.logY.value_or(spread(&ChartCurve::y));
}

/// "kinetic_j+elastic_j": one label, where the keys share their unit.
std::string makeLabel(const std::vector<std::string>& keys) {
    if (keys.size() == 1) return keyLabel(keys[0]);
    const std::string first = keyLabel(keys[0]);
    const std::size_t unit = first.rfind(" (");
    const std::string ending = unit == first.npos ? "" : first.substr(unit);
    const bool shared = std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
        return !ending.empty() && keyLabel(key).ends_with(ending);
    });
    if (!shared) return fmt::format("{}", fmt::join(keys, ", "));
    if (ending == " (J)") return "energy" + ending;
    if (ending == " (ms)") return "time per step" + ending;
    std::vector<std::string> words;
    for (const std::string& key : keys) words.push_back(keyLabel(key).substr(0, keyLabel(key).rfind(ending)));
    return fmt::format("{}{}", fmt::join(words, ", "), ending);
}

std::string toWord(std::string_view key) {
    const std::string label = keyLabel(key);
    return label.substr(0, label.rfind(" ("));
}

Expected<std::vector<std::string>> numericGroup(Files files, const std::string& group) {
    std::vector<std::string> keys;
    for (const std::string& part : splitText(group, '+')) {
        auto key = numericKey(files, part);
        if (!key) return fail(key.error());
        keys.push_back(std::move(*key));
    }
    return keys;
}

Chart buildChart(const std::string& x, const std::vector<std::string>& y) {
    return {.xKey = std::string(records::bareKey(x)),
            .yKey = fmt::format("{}", fmt::join(y, "+")),
            .xLabel = keyLabel(x),
            .yLabel = makeLabel(y),
            .note = {},
            .curves = {}};
}

// --- reports

Expected<std::vector<Chart>> reportCharts(Files files, ChartRequest request) {
    if (!request.by.empty()) return fail("--by is for sweeps: a report has one curve per file");
    const bool several = files.size() > 1;
    if (request.y.empty()) {
        const std::string setUp = isNumeric(files, "set_up_ms") ? "set_up_ms" : "analyze_ms+factor_ms";
        request.y = several ? std::vector<std::string>{"iterations", "true_relative_residual", "step_ms", "total_j"}
                            : std::vector<std::string>{"iterations", "true_relative_residual",
                                                       "assemble_ms+" + setUp + "+solve_ms+contact_ms+other_ms",
                                                       "kinetic_j+elastic_j+gravity_j+total_j"};
        if (!isNumeric(files, "true_relative_residual"))
            request.y.erase(request.y.begin() + 1);  // an explicit method solves nothing
    }
    const auto x = numericKey(files, request.x.empty() ? "time_s" : request.x);
    if (!x) return fail(x.error());
    std::vector<Chart> charts;
    for (const std::string& group : request.y) {
        const auto keys = numericGroup(files, group);
        if (!keys) return fail(keys.error());
        Chart chart = buildChart(*x, *keys);
        for (const records::RecordFile& file : files)
            for (const std::string& key : *keys) {
                const std::string stem = std::filesystem::path(file.name).stem().string();
                ChartCurve curve{.name = !several            ? toWord(key)
                                         : keys->size() == 1 ? stem
                                                             : stem + " " + toWord(key),
                                 .x = {},
                                 .y = {},
                                 .labels = {}};
                for (const records::Entries& record : file.records)
                    if (const double at = records::findNumber(record, *x, NAN); !isWhole(record)) {
                        curve.lost.push_back({.x = at, .label = endLabel(record), .record = 0});
                    } else if (std::isfinite(at)) {
                        curve.x.push_back(at);
                        curve.y.push_back(records::findNumber(record, key, NAN));
                    }
                chart.curves.push_back(std::move(curve));
            }
        chart.note = describeEnds(chart, several);
        // Energies and times are read by their height, residuals by their order.
        chart.logX = request.logX.value_or(false);
        chart.logY = request.logY.value_or(group == "true_relative_residual");
        charts.push_back(std::move(chart));
    }
    return charts;
}

// --- sweeps

struct SweepKeys {
    std::string x, label;  ///< label: of the points; empty = none
    std::vector<std::string> y, by;
    bool random = false, labels = false;
};

std::vector<std::string> variedKeys(Files files) {
    std::vector<std::string> keys;
    for (const records::RecordFile& file : files)
        for (const records::Entries& record : file.records)
            for (const auto& [key, value] : record)
                if (key.starts_with("vary.") && std::find(keys.begin(), keys.end(), key) == keys.end())
                    keys.push_back(key);
    return keys;
}

Expected<SweepKeys> chooseKeys(Files files, const ChartRequest& request) {
    SweepKeys keys;
    keys.labels = request.labels;
    const std::vector<std::string> varied = variedKeys(files);
    const records::Value* sets = records::findEntry(files[0].records[0], "sweep.sets");
    keys.random = sets && *sets == records::Value("random");
    const bool measured = isNumeric(files, "error_m");
    std::string firstNumber;
    for (const std::string& key : varied)
        if (firstNumber.empty() && isNumeric(files, key)) firstNumber = key;
    std::string x = request.x;
    if (x.empty()) x = measured ? kWork : !firstNumber.empty() ? firstNumber : "mean_iterations";
    const auto found = numericKey(files, x);
    if (!found) return fail(found.error());
    keys.x = *found;
    keys.y = request.y;
    if (keys.y.empty())
        keys.y = measured ? std::vector<std::string>{"error_m"}
                          : std::vector<std::string>{"mean_iterations", "mean_step_ms"};
    if (request.y.empty()) std::erase(keys.y, keys.x);
    for (const std::string& by : request.by) {
        keys.by.push_back(records::resolveKey(files, by));
        if (keys.by.back().empty()) {
            std::vector<std::string> bare;
            bare.reserve(varied.size());
            for (const std::string& key : varied) bare.emplace_back(records::bareKey(key));
            return fail(Error{.message = fmt::format("--by {}: there is no such key in these files", shown(by)),
                              .choices = bare});
        }
    }
    const auto taken = [&](const std::string& key) {
        return key == keys.x || std::find(keys.by.begin(), keys.by.end(), key) != keys.by.end();
    };
    std::string sized;  // what the points of a curve differ in
    if (!keys.x.starts_with("vary.") && !keys.random) {
        const std::string dt = "vary.integrator.dt";
        sized = std::find(varied.begin(), varied.end(), dt) != varied.end() ? dt : firstNumber;
        if (taken(sized)) sized.clear();
        const bool measures = sized == dt && isNumeric(files, std::string(kStepTaken));
        keys.label = measures ? std::string(kStepTaken) : sized;  // explicit methods divide their steps
        if (keys.label == keys.x) keys.label.clear();
    }
    if (request.by.empty())
        for (const std::string& key : varied)
            if (!taken(key) && key != sized && !(keys.random && isNumeric(files, key))) keys.by.push_back(key);
    return keys;
}

/// Looks each value up once: the description tables are made anew by every look.
class ValueWords {
public:
    explicit ValueWords(bool labels) : label_(labels ? choiceLabel : valueLabel) {}
    const std::string& of(const std::string& key, const records::Value& value) {
        const auto [at, fresh] = words_.try_emplace({key, value});
        if (fresh) at->second = label_(key, value);
        return at->second;
    }
    const std::string& named(const std::string& key, const records::Value& value) {
        const auto [at, fresh] = named_.try_emplace({key, value});
        if (fresh)
            at->second = std::holds_alternative<double>(value) ? toWord(key) + " " + of(key, value) : of(key, value);
        return at->second;
    }

private:
    std::string (*label_)(std::string_view, const records::Value&);
    std::map<std::pair<std::string, records::Value>, std::string> words_, named_;
};

std::string curveName(const records::Entries& record, const std::vector<std::string>& by, ValueWords& words) {
    std::string name;
    for (const std::string& key : by)
        if (const records::Value* value = records::findEntry(record, key))
            name += (name.empty() ? "" : ", ") + words.named(key, *value);
    return name;
}

/// By `keys`, one a point.
void sortBy(std::span<const double> keys, ChartCurve& curve) {
    std::vector<std::size_t> order(curve.x.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    ChartCurve sorted{.name = curve.name, .x = {}, .y = {}, .labels = {}, .lost = std::move(curve.lost)};
    for (const std::size_t i : order) {
        sorted.x.push_back(curve.x[i]);
        sorted.y.push_back(curve.y[i]);
        sorted.records.push_back(curve.records[i]);
        if (!curve.labels.empty()) sorted.labels.push_back(curve.labels[i]);
    }
    curve = std::move(sorted);
}

/// Curves in the order in which their first runs come; `left` counts runs that came to their end and have no point.
std::vector<ChartCurve> sweepCurves(Files files, const SweepKeys& keys, const std::string& y, const std::string& suffix,
                                    int& left) {
    std::vector<ChartCurve> curves;
    std::map<std::string, std::size_t> byName;
    std::vector<std::vector<double>> order;
    ValueWords words(keys.labels);
    std::size_t number = 0;
    for (const records::RecordFile& file : files)
        for (const records::Entries& record : file.records) {
            const std::size_t index = number++;
            const double atX = records::findNumber(record, keys.x, NAN), atY = records::findNumber(record, y, NAN);
            const bool whole = isWhole(record), placed = whole && std::isfinite(atX) && std::isfinite(atY);
            if (whole && !placed) {
                ++left;
                continue;
            }
            std::string name = curveName(record, keys.by, words);
            if (!suffix.empty()) name += (name.empty() ? "" : " ") + suffix;
            const auto [at, fresh] = byName.emplace(name, curves.size());
            if (fresh) {
                curves.push_back({.name = name, .x = {}, .y = {}, .labels = {}});
                order.emplace_back();
            }
            ChartCurve& curve = curves[at->second];
            const records::Value* shown = keys.label.empty() ? nullptr : records::findEntry(record, keys.label);
            std::string label = shown ? words.of(keys.label, *shown) : "";
            if (!whole) {
                curve.lost.push_back({.x = atX, .label = std::move(label), .record = index});
                continue;
            }
            curve.x.push_back(atX);
            curve.y.push_back(atY);
            curve.records.push_back(index);
            // A line goes from size to size, however the times of the runs were disturbed.
            const double size = keys.label.empty() ? NAN : records::findNumber(record, keys.label, NAN);
            order[at->second].push_back(std::isfinite(size) ? -size : atX);
            if (!keys.label.empty()) curve.labels.push_back(std::move(label));
        }
    for (std::size_t c = 0; c < curves.size(); ++c) sortBy(order[c], curves[c]);
    return curves;
}

Expected<std::vector<Chart>> sweepCharts(Files files, const ChartRequest& request) {
    const auto keys = chooseKeys(files, request);
    if (!keys) return fail(keys.error());
    std::vector<Chart> charts;
    for (const std::string& group : keys->y) {
        const auto y = numericGroup(files, group);
        if (!y) return fail(y.error());
        Chart chart = buildChart(keys->x, *y);
        chart.marks = true;
        chart.lines = !keys->random;
        int left = 0;
        for (const std::string& key : *y)
            for (ChartCurve& curve : sweepCurves(files, *keys, key, y->size() > 1 ? toWord(key) : "", left))
                chart.curves.push_back(std::move(curve));
        if (std::ranges::all_of(chart.curves, [](const ChartCurve& curve) { return curve.x.empty(); }))
            return fail(
                fmt::format("no finished run has both {} and {}", shown(records::bareKey(keys->x)), shown(group)));
        if (!keys->label.empty()) chart.note = "at the points: " + toWord(keys->label);
        std::size_t lost = 0;
        for (const ChartCurve& curve : chart.curves) lost += curve.lost.size();
        const auto add = [&](const std::string& words) { chart.note += (chart.note.empty() ? "" : "; ") + words; };
        if (lost > 0) add(fmt::format("crosses at the upper edge: {} run{} did not finish", lost, plural(lost)));
        if (left > 0) add(fmt::format("{} run{} left out: no value", left, plural(left)));
        chooseScales(chart, request);
        if (group.starts_with("error_")) {  // an order is a slope, whatever the range
            chart.logY = request.logY.value_or(true);
            chart.logX = request.logX.value_or(keys->x == kWork || chart.logX);
        }
        charts.push_back(std::move(chart));
    }
    return charts;
}

}  // namespace

Expected<std::vector<Chart>> makeCharts(Files files, const ChartRequest& request) {
    int reports = 0, records = 0;
    for (const records::RecordFile& file : files)
        for (const records::Entries& record : file.records) {
            ++records;
            reports += isReport(record);
        }
    if (records == 0) return fail("there is nothing to plot");
    if (reports != 0 && reports != records) return fail("these files are reports and sweeps: plot them separately");
    return reports > 0 ? reportCharts(files, request) : sweepCharts(files, request);
}

std::string chartsCsv(std::span<const Chart> charts) {
    std::string text = "x_key,y_key,curve,x,y,label\n";
    for (const Chart& chart : charts)
        for (const ChartCurve& curve : chart.curves)
            for (std::size_t i = 0; i < curve.x.size(); ++i)
                text +=
                    fmt::format("{},{},{},{},{},{}\n", csvField(chart.xKey), csvField(chart.yKey), csvField(curve.name),
                                curve.x[i], std::isfinite(curve.y[i]) ? fmt::format("{}", curve.y[i]) : "",
                                curve.labels.empty() ? "" : csvField(curve.labels[i]));
    return text;
}

}  // namespace clothlab::experiments
