#include "panels/ghost_words.hpp"

#include "widgets/numbers.hpp"

namespace clothlab::app::panels {

GhostWords ghostWords(const worker::Snapshot& now) {
    scene::Settings here = now.settings, there = now.ghost.settings;
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

}  // namespace clothlab::app::panels
