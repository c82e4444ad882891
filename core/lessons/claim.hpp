#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/errors.hpp"

namespace clothlab::lessons {

/// A claim of a lesson, as a condition on numbers: "mean(iterations) < 0.2 * step1.mean(iterations)".
///
///     claim  = sum ("<" | "<=" | ">" | ">=" | "==") sum
///     sum    = term {("+" | "-") term}
///     term   = factor {("*" | "/") factor}
///     factor = number | "-" factor | "(" sum ")" | [where "."] name "(" [argument {"," argument}] ")"
///
/// where: "ghost", or "stepK" with K = 1 for the first step of the lesson, or "stepK.ghost". An argument is a word or a
/// quoted text. The caller defines the names (facts.hpp has the lesson's).
struct Quantity {
    int step = 0;        ///< K; 0 = this step
    bool ghost = false;  ///< of the second cloth
    std::string name;    ///< "mean"
    std::vector<std::string> arguments;
};

/// Numbers for quantities; NaN if there is none (yet).
using Lookup = std::function<double(const Quantity&)>;
/// The words for a quantity.
struct QuantityWords {
    std::string text;     ///< "mean iterations", without its `where`
    std::string unit;     ///< of its number; empty: a count or a ratio; "%": a ratio in per cent
    std::string yes, no;  ///< for one that is 1 or 0: "a step fails", "no step fails"; empty: it is a number
};
using QuantityWordsOf = std::function<QuantityWords(const Quantity&)>;
using NumberText = std::function<std::string(double)>;
/// Empty, or the fault of a quantity.
using QuantityCheck = std::function<std::string(const Quantity&)>;

class Claim {
public:
    /// An Error has the column, counted from 1 in `text`.
    static Expected<Claim> parse(std::string_view text, const QuantityCheck& check);

    const std::string& text() const { return text_; }
    /// Both sides of the comparison; NaN: the side is not known.
    double left(const Lookup& lookup) const;
    double right(const Lookup& lookup) const;
    /// "<", "<=", ...
    std::string_view comparison() const { return comparison_; }
    /// Also false if a side is NaN.
    bool holds(const Lookup& lookup) const;
    /// "mean(iterations) = 2.1 < 6": both sides with their values, omitting the obvious.
    std::string filledIn(const Lookup& lookup) const;

    /// For a class: "iterations of Jacobi: 168, at least 1.4 × iterations of Jacobi in part 1 (84) = 118". Before the
    /// numbers are known, the same without them.
    std::string inWords(const Lookup& lookup, const QuantityWordsOf& quantityWords, const NumberText& number) const;

    struct Expression;

private:
    std::string text_, leftText_, rightText_, comparison_;
    std::shared_ptr<const Expression> left_, right_;
};

}  // namespace clothlab::lessons
