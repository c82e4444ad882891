#include "model/papers_state.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <ctime>

namespace clothlab::app::model {

void PapersState::take(bool playing) {
    const worker::TableProgress* last = progress();
    if (!last || last->serial == taken_) return;
    disturbed_ = disturbed_ || (last->running && playing);
    if (last->running) return;
    taken_ = last->serial;
    const bool disturbed = std::exchange(disturbed_, false);
    if (!last->table) return;
    const auto kept = std::make_shared<const papers::KeptTable>(
        papers::KeptTable{.table = *last->table,
                          .seconds = last->seconds,
                          .when = fmt::format("{:%Y-%m-%d}", fmt::localtime(std::time(nullptr))),
                          .quick = last->quick,
                          .stopped = last->stopped,
                          .disturbed = disturbed});
    done_[{last->name, last->quick}] = kept;
    chosenQuick = last->quick;
    problem.clear();
    if (folder.empty()) return;
    if (const auto written = papers::keepTable(*kept, folder); !written) problem = written.error().text();
}

PapersState::Kept PapersState::done(std::string_view table, bool quick) {
    const std::pair key(std::string(table), quick);
    if (const auto found = done_.find(key); found != done_.end()) return found->second;
    Kept& place = done_[key];
    if (folder.empty()) return place;
    auto kept = papers::keptTable(folder, table, quick);
    if (!kept)
        problem = kept.error().text();
    else if (*kept)
        place = std::make_shared<const papers::KeptTable>(std::move(**kept));
    return place;
}

PapersState::Kept PapersState::shown(std::string_view table) {
    const Kept wanted = done(table, chosenQuick);
    return wanted ? wanted : done(table, !chosenQuick);
}

std::size_t PapersState::count() const {
    return std::size_t(std::ranges::count_if(done_, [](const auto& each) { return each.second != nullptr; }));
}

}  // namespace clothlab::app::model
