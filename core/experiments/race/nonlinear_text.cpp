#include <fmt/format.h>

#include "base/build_info.hpp"
#include "base/platform.hpp"
#include "base/text.hpp"
#include "experiments/race/nonlinear_columns.hpp"
#include "records/json.hpp"

namespace clothlab::experiments {

std::vector<NonlinearEntry> toEntries(const NonlinearRace& race) {
    std::vector<NonlinearEntry> entries;
    for (const NonlinearRow& row : race.rows) entries.push_back({&race.field[row.contestant], &row});
    return entries;
}

std::string nonlinearTable(const NonlinearRace& race) {
    const ColumnList<NonlinearEntry> columns = textColumns<NonlinearEntry>(kNonlinearColumns);
    std::string text = fmt::format(
        "{}, step {}: {} particles, {} springs, {} thread{}; relative error of the step's energy{}\n\n{}\n", race.scene,
        race.step, race.particles, race.springs, race.threads, plural(race.threads),
        race.minimumFound ? ""
                          : fmt::format("\nThe minimum was not reached: errors are those to the lowest that was found, "
                                        "where the gradient is {:.0e} of the start's.",
                                        race.gradientLeft),
        textHead(columns));
    for (const NonlinearEntry& entry : toEntries(race)) {
        const std::string& problem = entry.row->problem;
        text += textLine(columns, entry) + (problem.empty() ? "" : "  " + problem) + "\n";
        if (entry.who->neighbouring() && entry.row->residual >= 0)
            text += fmt::format(
                "{:<36} of its own equations {:.1e} of the first pass's is left: its error ends on a "
                "plateau\n",
                "", entry.row->residual);
    }
    return text;
}

std::string nonlinearCsv(const NonlinearRace& race) {
    std::string text = "method,iteration,milliseconds,error\n";
    for (const NonlinearRow& row : race.rows)
        for (std::size_t k = 0; k < row.error.size(); ++k)
            text += fmt::format("{},{},{},{}\n", race.field[row.contestant].key, k, row.milliseconds[k], row.error[k]);
    return text;
}

std::string toJson(const NonlinearRace& race) {
    records::Json out;
    out["scene"] = race.scene;
    out["step"] = race.step;
    out["particles"] = race.particles;
    out["springs"] = race.springs;
    out["threads"] = race.threads;
    out["version"] = buildFacts().version;
    out["machine"] = platform::cpuName();
    out["start_energy"] = race.startEnergy;
    out["least_energy"] = race.leastEnergy;
    out["minimum_found"] = race.minimumFound;
    out["gradient_left"] = race.gradientLeft;
    records::Json rows = records::Json::array();
    for (const NonlinearEntry& entry : toEntries(race)) {
        records::Json line = rowJson<NonlinearEntry>(kNonlinearColumns, entry);
        line["error"] = records::Json::array(entry.row->error);
        line["ms"] = records::Json::array(entry.row->milliseconds);
        rows.push(std::move(line));
    }
    out["rows"] = std::move(rows);
    return out.text(2);
}

}  // namespace clothlab::experiments
