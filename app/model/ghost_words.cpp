#include "model/ghost_words.hpp"

#include <fmt/format.h>

#include "widgets/numbers.hpp"

namespace clothlab::app::model {
namespace {

std::vector<GhostDifference> differences(scene::Settings here, scene::Settings there) {
    FieldList ours, theirs;
    describe(here, ours);
    describe(there, theirs);
    std::vector<GhostDifference> out;
    for (std::size_t k = 0; k < ours.fields().size(); ++k) {
        const Field &own = ours.fields()[k], &other = theirs.fields()[k];
        if (!equalValues(own.ref, other.ref))
            out.push_back({std::string(own.meta.label), widgets::fieldText(own), widgets::fieldText(other)});
    }
    return out;
}

std::string values(const std::vector<GhostDifference>& differences, std::string GhostDifference::*value) {
    std::string words;
    for (const GhostDifference& each : differences)
        words += fmt::format("{}{} {}", words.empty() ? "" : ", ", each.label, each.*value);
    return words;
}

}  // namespace

std::vector<GhostDifference> ghostDifferences(const worker::Snapshot& now) {
    return differences(now.settings, now.ghost.settings);
}

std::string valuesHere(const std::vector<GhostDifference>& differences) {
    return values(differences, &GhostDifference::here);
}

std::string valuesThere(const std::vector<GhostDifference>& differences) {
    return values(differences, &GhostDifference::there);
}

std::string ghostName(const worker::Snapshot& now, std::size_t ghost) {
    const worker::Ghost& own = now.ghostAt(ghost);
    const std::size_t neighbour = ghost == 0 ? 1 : ghost - 1;
    const std::string words =
        neighbour < now.ghosts() ? valuesThere(differences(now.ghostAt(neighbour).settings, own.settings)) : "";
    return words.empty() ? fmt::format("from {}", own.startStep) : fmt::format("from {}: {}", own.startStep, words);
}

}  // namespace clothlab::app::model
