#include "linalg/aggregates.hpp"

#include <algorithm>
#include <numeric>

namespace clothlab::linalg {
namespace {

constexpr Index kNone = -1;

class Growth {
public:
    Growth(const BlockPattern& pattern, Index size)
        : pattern_(pattern), size_(size), of_(std::size_t(pattern.rows), kNone), links_(std::size_t(pattern.rows), 0) {}

    /// Per row its aggregate; numbers may have gaps.
    std::vector<Index> run() {
        for (Index seed = nextSeed(); seed != kNone; seed = nextSeed()) grow(seed);
        for (Index a = 0; a < Index(members_.size()); ++a)
            if (Index(members_[a].size()) < size_ / 4) join(a);
        return std::move(of_);
    }

private:
    template <class F>
    void forNeighbours(Index i, F&& f) const {
        for (Index k = pattern_.rowStart[i]; k < pattern_.rowStart[i + 1]; ++k)
            if (pattern_.column[k] != i) f(pattern_.column[k]);
    }

    /// The first row at the rim of what is taken; where the rim is empty the first row that is left.
    Index nextSeed() {
        for (; rimAt_ < rim_.size(); ++rimAt_)
            if (of_[rim_[rimAt_]] == kNone) return rim_[rimAt_];
        while (firstLeft_ < pattern_.rows && of_[firstLeft_] != kNone) ++firstLeft_;
        return firstLeft_ < pattern_.rows ? firstLeft_ : kNone;
    }

    void grow(Index seed) {
        const Index number = Index(members_.size());
        std::vector<Index>& taken = members_.emplace_back();
        boundary_.assign(1, seed);
        links_[seed] = 1;
        while (!boundary_.empty() && Index(taken.size()) < size_) {
            const auto best = std::ranges::max_element(boundary_, {}, [this](Index i) { return links_[i]; });
            const Index i = *best;
            boundary_.erase(best);
            links_[i] = 0;
            of_[i] = number;
            taken.push_back(i);
            forNeighbours(i, [&](Index j) {
                if (of_[j] == kNone && links_[j]++ == 0) boundary_.push_back(j);
            });
        }
        for (const Index i : boundary_) {
            links_[i] = 0;
            rim_.push_back(i);
        }
    }

    void join(Index a) {
        near_.clear();
        for (const Index i : members_[a])
            forNeighbours(i, [&](Index j) {
                if (of_[j] != a) near_.push_back(of_[j]);
            });
        if (near_.empty()) return;
        std::ranges::sort(near_);
        Index best = kNone;
        std::ptrdiff_t most = 0;
        for (auto at = near_.begin(); at != near_.end();) {
            const auto end = std::upper_bound(at, near_.end(), *at);
            if (end - at > most) most = end - at, best = *at;
            at = end;
        }
        for (const Index i : members_[a]) of_[i] = best;
        members_[best].insert(members_[best].end(), members_[a].begin(), members_[a].end());
        members_[a].clear();
    }

    const BlockPattern& pattern_;
    Index size_;
    std::vector<Index> of_;
    std::vector<Index> links_;  ///< of a row of the boundary: its neighbours in the aggregate at work
    std::vector<std::vector<Index>> members_;
    std::vector<Index> boundary_, rim_, near_;
    std::size_t rimAt_ = 0;
    Index firstLeft_ = 0;
};

}  // namespace

Aggregates aggregate(const BlockPattern& pattern, Index size) {
    Aggregates out;
    out.of = Growth(pattern, std::max(size, Index(1))).run();
    std::vector<Index> number(out.of.size(), kNone);  // numbered by their first rows
    Index count = 0;
    for (Index& a : out.of) {
        if (number[a] == kNone) number[a] = count++;
        a = number[a];
    }
    out.start.assign(std::size_t(count) + 1, 0);
    for (const Index a : out.of) ++out.start[std::size_t(a) + 1];
    std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
    out.rows.resize(out.of.size());
    std::vector<Index> next(out.start.begin(), out.start.end() - 1);
    for (Index i = 0; i < pattern.rows; ++i) out.rows[next[out.of[i]]++] = i;
    return out;
}

}  // namespace clothlab::linalg
