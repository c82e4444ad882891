#include "integrators/descent/spring_links.hpp"

namespace clothlab::integrators {

bool SpringLinks::configure(const cloth::ClothModel& model) {
    if (revision_ == model.revision && springs_ == model.springs.size() &&
        Index(begin_.size()) == model.particles() + 1)
        return false;
    revision_ = model.revision;
    springs_ = model.springs.size();
    begin_.assign(std::size_t(model.particles()) + 1, 0);
    for (const cloth::Spring& s : model.springs) {
        ++begin_[s.i + 1];
        ++begin_[s.j + 1];
    }
    for (Index i = 0; i < model.particles(); ++i) begin_[i + 1] += begin_[i];
    links_.resize(2 * springs_);
    std::vector<Index> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t e = 0; e < springs_; ++e) {
        const cloth::Spring& s = model.springs[e];
        links_[next[s.i]++] = {Index(e), s.j};
        links_[next[s.j]++] = {Index(e), s.i};
    }
    return true;
}

}  // namespace clothlab::integrators
