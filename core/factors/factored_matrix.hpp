#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "factors/scalar_factor.hpp"

namespace clothlab::factors {

/// A symmetric N x N matrix that acts on three axes alike, its pinned rows, and its factor, packed. Made in one go, on
/// any thread that has it for itself, and moved to where it serves.
class FactoredMatrix {
public:
    /// What it is made of. `values`: the entry of every block of the pattern. A pinned row stands as the identity's in
    /// the factor; its entries are kept, for the row may be let go.
    struct Source {
        std::shared_ptr<const linalg::BlockPattern> pattern;
        std::vector<double> values;
        std::vector<Index> pinned;
        Ordering ordering = Ordering::Amd;
    };
    struct Seconds {
        double analysis = 0;       ///< ordering and symbolic factor; 0 when they lasted
        double factorization = 0;  ///< with the packing
    };

    /// False: `message` says why, and there is nothing to solve with. The symbolic factor is kept while pattern and
    /// ordering last.
    bool make(Source source, WorkerPool& pool);
    /// Whether the last `make` was a success.
    bool made() const { return made_; }

    Index rows() const { return source_.pattern ? source_.pattern->rows : 0; }
    const linalg::BlockPattern& pattern() const { return *source_.pattern; }
    double value(Index block) const { return source_.values[block]; }
    const std::vector<double>& values() const { return source_.values; }
    bool pinned(Index row) const { return isPinned_[row] != 0; }
    const std::vector<Index>& pinnedRows() const { return source_.pinned; }
    ScalarFactor& factor() { return factor_; }
    const ScalarFactor& factor() const { return factor_; }
    const Seconds& seconds() const { return seconds_; }
    const std::string& message() const { return message_; }

private:
    Source source_;
    std::vector<std::uint8_t> isPinned_;
    ScalarFactor factor_;
    Seconds seconds_;
    bool made_ = false;
    std::string message_;
};

}  // namespace clothlab::factors
