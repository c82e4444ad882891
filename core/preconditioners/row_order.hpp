#pragma once

#include "linalg/ordering.hpp"
#include "preconditioners/settings.hpp"

namespace clothlab::preconditioners {

inline std::vector<Index> rowOrder(const linalg::BlockPattern& pattern, RowOrder order) {
    switch (order) {
        case RowOrder::Natural: return linalg::naturalOrder(pattern);
        case RowOrder::ReverseCuthillMcKee: return linalg::reverseCuthillMcKee(pattern);
        case RowOrder::NestedDissection: return linalg::nestedDissection(pattern);
    }
    return linalg::naturalOrder(pattern);
}

}  // namespace clothlab::preconditioners
