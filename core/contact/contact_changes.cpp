#include "contact/contact_changes.hpp"

namespace clothlab::contact {
namespace {

/// Of all kinetic friction: what may be wrong in a step, for f_N is taken from the step before.
constexpr double kMisjudged = 0.05;

}  // namespace

bool ContactChanges::matter() const { return caught > 0 || wrong() > kMisjudged * friction; }

void ContactChanges::add(const ContactChanges& other) {
    slipped += other.slipped;
    stuck += other.stuck;
    caught += other.caught;
    stopped += other.stopped;
    released += other.released;
    friction += other.friction;
    misjudged += other.misjudged;
    pushed += other.pushed;
    squares += other.squares;
}

}  // namespace clothlab::contact
