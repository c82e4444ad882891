#pragma once

#include <span>
#include <vector>

#include "cloth/cloth_model.hpp"

namespace clothlab::integrators {

/// The springs of each particle.
class SpringLinks {
public:
    struct Link {
        Index spring, other;
    };
    /// Does nothing if neither mesh nor size has changed; returns whether one has.
    bool configure(const cloth::ClothModel& model);
    std::span<const Link> of(Index particle) const {
        return std::span(links_).subspan(begin_[particle], begin_[particle + 1] - begin_[particle]);
    }

private:
    std::uint64_t revision_ = 0;
    std::size_t springs_ = 0;
    std::vector<Index> begin_;
    std::vector<Link> links_;
};

}  // namespace clothlab::integrators
