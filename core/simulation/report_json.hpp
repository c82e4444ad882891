#pragma once

#include "records/json.hpp"
#include "simulation/runner.hpp"

namespace clothlab::simulation {

/// One line of the NDJSON report; non-finite numbers are null, the hash is 16 hex digits.
std::string toJsonLine(const StepReport& report);

/// What a run and a row of a sweep have in common.
records::Json summaryJson(const RunSummary& summary);

/// The summary object of `run --json`; active settings inside.
std::string toJson(const RunSummary& summary, const scene::Settings& settings);

}  // namespace clothlab::simulation
