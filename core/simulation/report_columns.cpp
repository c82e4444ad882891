#include "simulation/report_columns.hpp"

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
}

void ReportSums::add(const StepReport& report) {
    const bool failed = hasFailed(report.status);
    for (std::size_t k = 0; k < kReportColumns.size(); ++k) {
        const double value = kReportColumns[k].value(report);
        Sum& s = sums_[k];
        if (std::isnan(value)) continue;
        s.sum += value;
        ++s.count;
        if (failed) continue;
        s.last = value;
        s.largest = std::fmax(s.largest, value);
    }
}

records::Entries ReportSums::numbers() const {
    records::Entries out;
    const auto add = [&](const char* prefix, std::string_view key, double value) {
        out.emplace_back(prefix + std::string(key), value);
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
