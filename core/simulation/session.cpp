#include "simulation/session.hpp"

namespace clothlab::simulation {

Expected<bool> Session::apply(const Edit& edit, Shelf& shelf) {
    if (!loaded() && !std::holds_alternative<edits::Load>(edit)) return fail("there is no scene yet");
    auto done = std::visit(
        [&](const auto& each) -> Expected<bool> {
            if constexpr (requires { each.apply(*simulation_); }) {
                auto changed = each.apply(*simulation_);
                if constexpr (std::decay_t<decltype(each)>::kTraits.ghosts)
                    for (std::size_t k = 0; changed && k < ghosts_.size(); ++k)
                        if (auto also = each.apply(ghosts_[k]->simulation()); !also) changed = also;
                return changed;
            } else {
                return each.apply(*this, shelf);
            }
        },
        edit);
    if (done && traitsFor(edit).effect == Effect::Jumps)
        endGhosts();  // they began at states that this motion may not come through again
    return done;
}

void Session::replace(std::unique_ptr<Simulation> next) {
    endGhosts();
    simulation_ = std::move(next);
}

Expected<void> Session::startGhost(const scene::Settings& settings, bool further) {
    auto ghost = Branch::start(*simulation_, settings, simulation_->threads());
    if (!ghost) return fail(ghost.error());
    if (!further) endGhosts();
    if (ghosts_.size() < kMostGhosts) ghosts_.push_back(std::move(*ghost));
    return {};
}

void Session::follow(const std::stop_token& stop) {
    for (const auto& ghost : ghosts_) ghost->follow(*simulation_, stop);
}

}  // namespace clothlab::simulation
