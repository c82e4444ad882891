#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "base/platform.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "experiments/charts/chart.hpp"
#include "experiments/sweep/sweep.hpp"
#include "interruptible.hpp"
#include "loading.hpp"
#include "papers/reproduction.hpp"

namespace clothlab::python {
namespace {

/// One line of JSON per run, as the command writes it.
std::vector<std::string> sweep(scene::Scene base, experiments::SweepRequest request, int threads, int repeat) {
    const experiments::SweepPlan plan = valueOf(experiments::planSweep(std::move(base), std::move(request)));
    return interruptible([&](const std::stop_token& stop) {
        experiments::SweepRunner runner(plan, threads > 0 ? threads : platform::hardwareThreads(), repeat,
                                        {.stop = stop});
        std::vector<std::string> lines;
        for (int run = 0; run < plan.runs; ++run)
            if (const auto row = runner.run(run)) lines.push_back(toJsonLine(*row, plan.identity));
        return lines;
    });
}

std::string reproduce(const std::string& table, const papers::ReproduceOptions& options) {
    auto made = interruptible(
        [&](const std::stop_token& stop) { return papers::reproduce(table, options, {.stop = stop, .progress = {}}); });
    return papers::toJson(valueOf(std::move(made)));
}

py::list charts(const std::vector<std::string>& files, const experiments::ChartRequest& request) {
    std::vector<records::RecordFile> read;
    read.reserve(files.size());
    for (const std::string& file : files) read.push_back(valueOf(records::readRecords(file)));
    py::list out;
    for (const experiments::Chart& chart : valueOf(experiments::makeCharts(read, request))) {
        py::list curves;
        for (const experiments::ChartCurve& curve : chart.curves)
            curves.append(py::dict(py::arg("name") = curve.name, py::arg("x") = py::array(py::cast(curve.x)),
                                   py::arg("y") = py::array(py::cast(curve.y)), py::arg("labels") = curve.labels));
        out.append(py::dict(py::arg("x_key") = chart.xKey, py::arg("y_key") = chart.yKey,
                            py::arg("x_label") = chart.xLabel, py::arg("y_label") = chart.yLabel,
                            py::arg("log_x") = chart.logX, py::arg("log_y") = chart.logY, py::arg("note") = chart.note,
                            py::arg("curves") = curves));
    }
    return out;
}

}  // namespace

void bindExperiments(py::module_& module) {
    module.def(
        "sweep",
        [](const std::string& scene, const std::vector<std::string>& sets, const std::vector<std::string>& vary,
           const std::vector<std::string>& reference, int steps, int threads, int repeat, const std::string& assets) {
            return sweep(sceneNamed(scene, sets, -1, assets),
                         {.vary = vary, .sets = sets, .reference = reference, .steps = steps}, threads, repeat);
        },
        py::arg("scene"), py::arg("sets"), py::arg("vary"), py::arg("reference"), py::arg("steps"), py::arg("threads"),
        py::arg("repeat"), py::arg("assets"));
    module.def(
        "reproduce",
        [](const std::string& table, bool quick, int threads, int sets, int seed, std::vector<std::string> settings,
           int side, const std::string& assets) {
            return reproduce(table, {.assetsFolder = assets,
                                     .quick = quick,
                                     .threads = threads,
                                     .side = side,
                                     .overrides = std::move(settings),
                                     .sets = sets,
                                     .seed = seed});
        },
        py::arg("table"), py::arg("quick"), py::arg("threads"), py::arg("sets"), py::arg("seed"), py::arg("settings"),
        py::arg("side"), py::arg("assets"));
    module.def("tables", [] {
        std::vector<std::string> names;
        for (const papers::PaperTable& table : papers::paperTables()) names.emplace_back(table.name);
        return names;
    });
    module.def(
        "charts",
        [](const std::vector<std::string>& files, const std::string& x, std::vector<std::string> y,
           std::vector<std::string> by) { return charts(files, {.x = x, .y = std::move(y), .by = std::move(by)}); },
        py::arg("files"), py::arg("x"), py::arg("y"), py::arg("by"));
}

}  // namespace clothlab::python
