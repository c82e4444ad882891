#include "contact/contact_changes.hpp"

namespace clothlab::contact {
namespace {

/// Share of all kinetic friction that may be wrong in a step, because f_N is taken from the previous step.
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
