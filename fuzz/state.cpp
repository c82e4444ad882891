#include "messages.hpp"
#include "simulation/state_bytes.hpp"

using namespace clothlab;

namespace {

void read(const std::string& bytes) {
    const auto saved = simulation::readStateBytes(bytes, "fuzz.clothstate");
    if (!saved) return fuzz::checkMessage(saved.error(), bytes, false);
    const std::string again = simulation::stateBytes(saved->scene, saved->state);
    const auto twice = simulation::readStateBytes(again, "fuzz.clothstate");
    fuzz::require(twice.has_value(), "what was read is written so that it can be read", again);
    fuzz::require(integrators::stateHash(twice->state) == integrators::stateHash(saved->state), "and is the same");
}

}  // namespace

/// A saved state: the bytes as they are, and with a matching header, so that the content after it is reached.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(fuzz::asText(data, size));
    read(text);
    read(simulation::framed(text));
    return 0;
}
