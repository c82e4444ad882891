#include "messages.hpp"
#include "scene/scene.hpp"

using namespace clothlab;

/// `--set` on a scene of two cloths and a region. A refused assignment changes nothing.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const scene::Scene start = *scene::readSceneText(
        "[[cloth]]\n[cloth.material]\n[[cloth]]\n[[set]]\nname = \"cuff\"\ncloth = 1\nparticles = [0]\n"
        "[[region]]\nset = \"cuff\"\ndensity = 0.5\n",
        "fuzz.toml");
    scene::Scene scene = start;
    const auto text = fuzz::asText(data, size);
    const auto done = scene::applyOverride(scene, text);
    if (done) return 0;
    fuzz::require(scene == start, "an assignment happens whole or not at all", std::string(text));
    fuzz::checkMessage(done.error(), text, false);
    return 0;
}
