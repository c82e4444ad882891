#include "simulation/report_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clothlab::simulation {

const ReportColumn* findColumn(std::string_view key) {
    const auto at = std::ranges::find(kReportColumns, key, &ReportColumn::key);
    return at == kReportColumns.end() ? nullptr : &*at;
}

void ReportSums::start(const StepReport& report) {
    for (std::size_t k = 0; k < kReportColumns.size(); ++k) {
        const double value = kReportColumns[k].value(report);
        sums_[k] = {.start = value, .largest = value, .last = value};
    }
    steps_.clear();
}

void ReportSums::add(const StepReport& report) {
    const bool failed = hasFailed(report.status);
    steps_.push_back(report.step);
    for (std::size_t k = 0; k < kReportColumns.size(); ++k) {
        const double value = kReportColumns[k].value(report);
        Sum& s = sums_[k];
        if (kReportColumns[k].summedUp == SummedUp::Spread) s.values.push_back(value);
        if (std::isnan(value)) continue;
        s.sum += value;
        ++s.count;
        if (failed) continue;
        s.last = value;
        s.largest = std::fmax(s.largest, value);
    }
}

clothlab::Spread ReportSums::spreadOver(const std::vector<double>& values) const {
    clothlab::Spread out = computeSpread(values);
    if (out.count > 0) out.at = std::size_t(steps_[out.at]);
    return out;
}

records::Entries ReportSums::numbers() const {
    records::Entries out;
    const auto add = [&](const char* prefix, std::string_view key, double value, std::string_view suffix = "") {
        out.emplace_back(fmt::format("{}{}{}", prefix, key, suffix), value);
    };
    const auto addSpread = [&](std::string_view key, const clothlab::Spread& spread) {
        for (const SpreadPart& part : kSpreadParts) add("", key, spread.*part.value, part.suffix);
        add("", key, spread.count > 0 ? double(spread.at) : columns::kGap, kSpreadStep);
    };
    for (std::size_t k = 0; k < kReportColumns.size(); ++k) {
        const Sum& s = sums_[k];
        const std::string_view key = kReportColumns[k].key;
        switch (kReportColumns[k].summedUp) {
            case SummedUp::No:
                break;
            case SummedUp::Mean:
                add("mean_", key, s.sum / std::max(1, s.count));
                break;
            case SummedUp::Spread:
                add("mean_", key, s.sum / std::max(1, s.count));
                addSpread(key, spreadOver(s.values));
                break;
            case SummedUp::Most:
                add("", key, s.largest);
                break;
            case SummedUp::Last:
                add("", key, s.last);
                add("start_", key, s.start);
                add("peak_", key, s.largest);
                break;
            case SummedUp::Peak:
                add("peak_", key, s.largest);
                break;
        }
    }
    return out;
}

}  // namespace clothlab::simulation
