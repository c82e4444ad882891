#pragma once

#include <optional>

#include "base/json_reader.hpp"
#include "simulation/recording.hpp"

namespace clothlab::simulation {

/// The event of a line of a recording. What is wrong is the reader's problem.
std::optional<RecordedEvent> readLine(JsonReader& line);

}  // namespace clothlab::simulation
