#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "factors/factor_source.hpp"
#include "factors/scalar_factor.hpp"

namespace clothlab::factors {

/// A matrix and its packed factor. Made in one go, on any thread that owns it, and then moved to its user.
class FactoredMatrix {
public:
    struct Seconds {
        double analysis = 0;       ///< ordering and symbolic factor; 0 if they were reused
        double factorization = 0;  ///< including the packing
    };

    /// False: `message` says why, and there is nothing to solve with. The symbolic factor is kept while pattern and
    /// ordering do not change.
    bool make(std::shared_ptr<const FactorSource> source, WorkerPool& pool);
    bool make(FactorSource source, WorkerPool& pool) {
        return make(std::make_shared<const FactorSource>(std::move(source)), pool);
    }
    /// Whether the last `make` succeeded.
    bool made() const { return made_; }

    /// Null before the first `make`.
    const std::shared_ptr<const FactorSource>& source() const { return source_; }
    Index rows() const { return source_ ? source_->pattern->rows : 0; }
    const linalg::BlockPattern& pattern() const { return *source_->pattern; }
    double value(Index block) const { return source_->values[block]; }
    const std::vector<double>& values() const { return source_->values; }
    bool pinned(Index row) const { return isPinned_[row] != 0; }
    const std::vector<Index>& pinnedRows() const { return source_->pinned; }
    ScalarFactor& factor() { return factor_; }
    const ScalarFactor& factor() const { return factor_; }
    const Seconds& seconds() const { return seconds_; }
    const std::string& message() const { return message_; }

private:
    std::shared_ptr<const FactorSource> source_;
    std::vector<std::uint8_t> isPinned_;
    ScalarFactor factor_;
    Seconds seconds_;
    bool made_ = false;
    std::string message_;
};

}  // namespace clothlab::factors
