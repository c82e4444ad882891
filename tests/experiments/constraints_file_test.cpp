#include <gtest/gtest.h>

#include "experiments/systems/constraints_file.hpp"

namespace clothlab::experiments {
namespace {

std::string taken(const std::string& text) {
    const auto constraints = readConstraints(text, "c.json", 4);
    return constraints ? "it was taken" : constraints.error().text();
}
/// One constraint per line, the first on line 2.
std::string list(const std::string& constraints) {
    return "{\"particles\": 4, \"constraints\": [\n" + constraints + "\n]}";
}

const std::string kGood = R"({"particle": 1, "ndof": 2, "p": [0, 0.6, 0.8], "q": [0, 0, 0], "z": [0, 0.06, 0.08],
 "S": [[1, 0, 0], [0, 0.64, -0.48], [0, -0.48, 0.36]]})";

TEST(Constraints, ReturnAsTheyWereWritten) {
    linalg::DofConstraints constraints(4);
    constraints.set({.particle = 3, .ndof = 1, .p = {1, 2, 3}, .q = {0, 1, 5}, .z = {0.1, 0.2, 0.3}});
    constraints.set({.particle = 0, .ndof = 0, .z = {1, 2, 3}});
    constraints.set({.particle = 2, .ndof = 2, .p = {0.3, -0.2, 0.7}, .z = {0.3, -0.2, 0.7}});
    constraints.sort();
    const auto again = readConstraints(constraintsJson(constraints, 0.01, 5), "c.json", 4);
    ASSERT_TRUE(again) << again.error().text();
    ASSERT_EQ(again->constrained().size(), 3u);
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_LT((again->constrained()[k].S() - constraints.constrained()[k].S()).norm(), 1e-15);
        EXPECT_LT((again->constrained()[k].z - constraints.constrained()[k].z).norm(), 1e-15);
    }
    EXPECT_EQ(taken(list(kGood)), "it was taken");
}

TEST(Constraints, ThatMakeNoSenseAreRefusedAtTheirPlace) {
    const auto with = [](const std::string& from, const std::string& to) {
        std::string text = kGood;
        return list(text.replace(text.find(from), from.size(), to));
    };
    const auto refuses = [](const std::string& text, const std::string& start) {
        EXPECT_EQ(taken(text).find(start), 0u) << taken(text) << "\n" << start;
    };
    refuses("[]", "c.json:1:1: a list where an object is needed (valid: {\"constraints\": ...})");
    refuses("{}", "c.json:1:1: 'constraints' is missing (valid: a list)");
    refuses("{\"constraints\": [", "c.json:1:18: not JSON: a value is expected");
    refuses("{\"particles\": 5, \"constraints\": []}", "c.json:1:15: the matrix has 4 particles");
    refuses(with("\"particle\": 1", "\"particle\": 1.5"),
            "c.json:2:14: particle: 1.5 is no whole number (valid: a whole number, 0 .. 3)");
    refuses(with("\"particle\": 1", "\"particle\": 9223372036854775808"),
            "c.json:2:14: particle: 9.223372036854776e+18 is out of range");
    refuses(with("\"particle\": 1", "\"particle\": -1"),
            "c.json:2:14: particle: -1 is out of range (valid: a whole number, 0 .. 3)");
    refuses(with("\"particle\": 1, ", ""), "c.json:2:1: 'particle' is missing (valid: a whole number, 0 .. 3)");
    refuses(with("\"ndof\": 2", "\"ndof\": 3"), "c.json:2:25: ndof: 3 is out of range (valid: a whole number, 0 .. 2)");
    refuses(with("\"ndof\": 2", "\"ndof\": 1"), "c.json:2:53: q has length 0");
    refuses(with("0.6, 0.8", "0, 0"), "c.json:2:33: p has length 0: a removed direction is a unit vector");
    refuses(with("0.6, 0.8", "0.6"), "c.json:2:33: p: 2 numbers where three are needed (valid: [x, y, z])");
    refuses(with("[0, 0.06, 0.08]", "[1, 0.06, 0.08]"), "c.json:2:69: z has a component along a free direction");
    refuses(with("\"z\"", "\"zz\""), "c.json:2:1: 'z' is missing (valid: [x, y, z])");
    refuses(with("-0.48]", "0.48]"), "c.json:3:7: S is not the filter");
    refuses(with("[1, 0, 0]", "[1, 0]"), "c.json:3:8: S: 2 numbers where three are needed");
    refuses(list(kGood + ",\n" + kGood), "c.json:4:1: particle 1 has a constraint already");
    refuses(list("7"), "c.json:2:1: constraints: a number where an object is needed (valid: {\"particle\": ...})");
}

/// A pin declared as a slide, with p = 0: with it, each method solved a different system.
TEST(Constraints, APinDeclaredASlideIsRefused) {
    const std::string pin = R"({"particle": 0, "ndof": 2, "p": [0, 0, 0], "q": [0, 0, 0], "z": [0, 0, 0]})";
    EXPECT_EQ(taken(list(pin)).find("c.json:2:33: p has length 0"), 0u) << taken(list(pin));
}

}  // namespace
}  // namespace clothlab::experiments
