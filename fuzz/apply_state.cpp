#include "simulation/state_bytes.hpp"
#include "simulation/state_io.hpp"
#include "small_world.hpp"

using namespace clothlab;

/// A saved state, with matching hashes: a world resumes it and takes two steps.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view bytes = fuzz::asText(data, size);
    if (const std::size_t head = bytes.find('\n'); bytes.starts_with("clothlab-state ") && head != bytes.npos)
        bytes.remove_prefix(std::min(bytes.size(), head + 1 + 2 * sizeof(std::uint64_t)));
    ByteReader in(bytes);
    const std::string name = in.text(), text = in.text();
    auto scene = scene::readSceneText(text, "fuzz.toml");
    if (!scene || !fuzz::makeSmall(*scene)) return 0;
    scene->name = name;
    for (std::size_t meshes = in.count(sizeof(std::uint64_t)); meshes > 0; --meshes) in.number<std::uint64_t>();
    integrators::SimulationState state;
    simulation::StateWalk<simulation::StateReading>(in).state(state);
    if (in.failed()) return 0;
    const auto saved = simulation::readStateBytes(simulation::stateBytes(*scene, state), "fuzz.clothstate");
    if (!saved) return fuzz::checkMessage(saved.error(), {}, false), 0;
    const auto world = simulation::resume(*saved, 1);
    if (!world) return fuzz::checkMessage(world.error(), {}, false), 0;
    fuzz::step(**world, 2);
    return 0;
}
