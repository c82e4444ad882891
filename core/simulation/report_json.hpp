#pragma once

#include "records/json.hpp"
#include "simulation/runner.hpp"

namespace clothlab::simulation {

/// The report of a step: all columns, its status, the hash of the state as 16 hex digits.
records::Json reportJson(const StepReport& report);
/// One line of the NDJSON report.
std::string toJsonLine(const StepReport& report);

/// The common part of a run and a row of a sweep.
records::Json summaryJson(const RunSummary& summary);

/// The summary object of `run --json`; active settings inside.
std::string toJson(const RunSummary& summary, const scene::Settings& settings);

}  // namespace clothlab::simulation
