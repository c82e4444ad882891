#include "commands/say.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "commands/interrupt.hpp"

namespace clothlab::app::commands {

int say(const std::string& text) {
    const auto done = writeStandardOutput(text);
    if (done) return kExitDone;
    complain(done.error());
    return kExitDiverged;
}

int complain(const Error& error) {
    fmt::print(stderr, "clothlab: {}\n", error.text());
    return kExitUsage;
}

void remark(const std::string& note) {
    if (!note.empty()) fmt::print(stderr, "clothlab: {}\n", note);
}

int report(const std::string& text, bool outputTaken) {
    if (!outputTaken) return say(text);
    fmt::print(stderr, "{}", text);
    return kExitDone;
}

int signalExitCode(const std::string& what, int otherwise) {
    const int signal = Interrupt::signal();
    if (signal == 0) return otherwise;
    fmt::print(stderr, "clothlab: stopped{}{}: signal {}\n", what.empty() ? "" : " ", what, signal);
    return kExitSignal + signal;
}

InputFiles listInputs(const scene::Scene& scene) {
    InputFiles inputs;
    if (!scene.file.empty()) inputs.add(scene.file);
    for (const scene::ClothPatch& cloth : scene.cloths)
        if (cloth.mesh && cloth.mesh.garmentSpacing == 0) inputs.add(cloth.mesh.path);
    for (const contact::Collider& collider : scene.colliders)
        if (const auto* mesh = std::get_if<geometry::MeshSolid>(&collider.shape); mesh && !mesh->path.empty())
            inputs.add(mesh->path);
    return inputs;
}

}  // namespace clothlab::app::commands
