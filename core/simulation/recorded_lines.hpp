#pragma once

#include <optional>
#include <string>

#include "base/json.hpp"
#include "simulation/recording.hpp"

namespace clothlab::simulation {

/// A line of a recording that was read, or why it is none, with the byte of the line at which that shows.
struct ReadLine {
    std::optional<RecordedEvent> event;
    std::optional<Error> problem;
    std::size_t at = 0;
};
ReadLine readLine(const JsonNode& root);

}  // namespace clothlab::simulation
