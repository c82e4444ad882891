#pragma once

#include <optional>

#include "base/json_reader.hpp"
#include "simulation/recording.hpp"

namespace clothlab::simulation {

/// The event of a line of a recording. A mistake is reported to the reader.
std::optional<RecordedEvent> readLine(JsonReader& line);

}  // namespace clothlab::simulation
