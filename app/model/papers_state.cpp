#include "model/papers_state.hpp"

#include <algorithm>

namespace clothlab::app::model {

void PapersState::take(bool playing) {
    const worker::TableProgress* last = progress();
    if (!last || last->serial == taken_) return;
    disturbed_ = disturbed_ || (last->running && playing);
    if (last->running) return;
    taken_ = last->serial;
    const bool disturbed = std::exchange(disturbed_, false);
    if (!last->table) return;
    const auto kept = std::make_shared<const papers::KeptTable>(papers::KeptTable{.table = *last->table,
                                                                                  .seconds = last->seconds,
                                                                                  .when = papers::today(),
                                                                                  .quick = last->quick,
                                                                                  .stopped = last->stopped,
                                                                                  .disturbed = disturbed});
    done_[{last->name, last->quick}] = kept;
    chosenQuick = last->quick;
    problem.clear();
    if (folder.empty()) return;
    if (const auto written = papers::keepTable(*kept, folder); !written) problem = written.error().text();
}

PapersState::SharedTable PapersState::readOnce(Tables& tables, const std::string& from, std::string_view table,
                                               bool quick) {
    const std::pair key(std::string(table), quick);
    if (const auto found = tables.find(key); found != tables.end()) return found->second;
    if (from.empty()) return nullptr;
    SharedTable& place = tables[key];
    auto kept = papers::keptTable(from, table, quick);
    if (!kept)
        problem = kept.error().text();
    else if (*kept)
        place = std::make_shared<const papers::KeptTable>(std::move(**kept));
    return place;
}

PapersState::SharedTable PapersState::shown(std::string_view table) {
    for (const bool quick : {chosenQuick, !chosenQuick})
        if (SharedTable own = done(table, quick)) return own;
    for (const bool quick : {false, true})
        if (SharedTable ofProgram = readOnce(measured_, measured, table, quick)) return ofProgram;
    return nullptr;
}

std::size_t PapersState::count() const {
    return std::size_t(std::ranges::count_if(done_, [](const auto& each) { return each.second != nullptr; }));
}

}  // namespace clothlab::app::model
