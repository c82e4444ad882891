#include "factors/factor_source.hpp"

namespace clothlab::factors {

bool FactorSource::sameEntries(const FactorSource& other) const {
    if (this == &other) return true;
    const bool sameGraph =
        pattern == other.pattern || (pattern && other.pattern && pattern->rowStart == other.pattern->rowStart &&
                                     pattern->column == other.pattern->column);
    return sameGraph && values == other.values;
}

bool FactorSource::operator==(const FactorSource& other) const {
    return ordering == other.ordering && pinned == other.pinned && broken == other.broken && sameEntries(other);
}

}  // namespace clothlab::factors
