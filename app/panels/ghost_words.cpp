#include "panels/ghost_words.hpp"

#include <fmt/format.h>

#include "widgets/numbers.hpp"

namespace clothlab::app::panels {

static GhostWords difference(scene::Settings here, scene::Settings there) {
    FieldList ours, theirs;
    describe(here, ours);
    describe(there, theirs);
    GhostWords words;
    for (std::size_t k = 0; k < ours.fields().size(); ++k) {
        const Field &own = ours.fields()[k], &other = theirs.fields()[k];
        if (equalValues(own.ref, other.ref)) continue;
        words.more = !words.label.empty();
        if (words.more) break;
        words = {std::string(own.meta.label), widgets::fieldText(own), widgets::fieldText(other)};
    }
    return words;
}

GhostWords ghostWords(const worker::Snapshot& now) { return difference(now.settings, now.ghost.settings); }

std::string ghostName(const worker::Snapshot& now, std::size_t ghost) {
    const worker::Ghost& own = now.ghostAt(ghost);
    const std::size_t neighbour = ghost == 0 ? 1 : ghost - 1;
    const GhostWords words =
        neighbour < now.ghosts() ? difference(now.ghostAt(neighbour).settings, own.settings) : GhostWords();
    return words.there.empty() ? fmt::format("from {}", own.startStep)
                               : fmt::format("from {}: {} {}", own.startStep, words.label, words.there);
}

}  // namespace clothlab::app::panels
