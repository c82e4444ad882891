#pragma once

#include <memory>

#include "lessons/claim.hpp"

namespace clothlab::lessons {

/// A number, a quantity, or two expressions with an operator between them.
struct Claim::Expression {
    char op = 0;  ///< + - * / ; 'n' a number, 'q' a quantity
    double number = 0;
    Quantity quantity;
    std::shared_ptr<const Expression> left, right;

    double value(const Lookup& lookup) const {
        switch (op) {
            case 'n':
                return number;
            case 'q':
                return lookup(quantity);
            case '+':
                return left->value(lookup) + right->value(lookup);
            case '-':
                return left->value(lookup) - right->value(lookup);
            case '*':
                return left->value(lookup) * right->value(lookup);
            default:
                return left->value(lookup) / right->value(lookup);
        }
    }
};

}  // namespace clothlab::lessons
