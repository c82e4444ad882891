// contact
#include "contact/settings.hpp"

namespace clothlab::contact {
namespace {

constexpr std::array kSelfCollisions{
    EnumEntry{int(SelfCollision::Off), "off", "off", "The cloth passes through itself."},
    EnumEntry{int(SelfCollision::Repulsion), "repulsion", "repulsion",
              "Boxerman's: particles that come closer than a share of the mesh spacing push each other apart. They "
              "hover; a fast particle, or one that meets the middle of a square, can still pass."},
};

}  // namespace

std::span<const EnumEntry> enumTable(SelfCollision) { return kSelfCollisions; }

void describe(ContactSettings& s, FieldList& list) {
    list.add("mu_s", s.muS,
             {.label = "static friction",
              .min = 0.0,
              .max = 10.0,
              .sliderMin = 0.0,
              .sliderMax = 1.5,
              .help = "A touching particle sticks while its tangential force stays below this share of the normal "
                      "force: on a slope it stays put up to tan(angle) = mu_s."});
    list.add("mu_k", s.muK,
             {.label = "kinetic friction",
              .min = 0.0,
              .max = 10.0,
              .sliderMin = 0.0,
              .sliderMax = 1.5,
              .help = "Force against sliding as a share of the normal force. It never reverses the motion. Real "
                      "materials have mu_k <= mu_s."});
    list.add("push_out", s.pushOut,
             {.label = "push-out",
              .min = 0.0,
              .max = 1.0,
              .help = "Share of the penetration that is removed in a step, by moving the position alone. 1 ejects the "
                      "particle completely: it loses contact and friction, and bounces."});
    list.add("self_collision", s.selfCollision, {.label = "self-collision", .help = "How the cloth meets itself."});
    list.add(
        "repulsion_distance", s.repulsionDistance,
        {.label = "repulsion distance",
         .min = 0.05,
         .max = 1.5,
         .sliderMin = 0.2,
         .sliderMax = 1.0,
         .help =
             "As a share of the mesh spacing. Above 0.7 nothing fits through the squares of the mesh any more. Springs "
             "that are shorter at rest take no part."});
    list.add("repulsion_stiffness", s.repulsionStiffness,
             {.label = "repulsion stiffness",
              .min = 0.0,
              .max = 100.0,
              .sliderMin = 0.01,
              .sliderMax = 10.0,
              .logarithmic = true,
              .help = "As a share of the stretch stiffness. Stiff ones make the system as hard as stretch springs do; "
                      "the matrix core holds them."});
    list.add(
        "repulsion_damping", s.repulsionDamping,
        {.label = "repulsion damping",
         .unit = "N s/m",
         .min = 0.0,
         .max = 100.0,
         .sliderMin = 0.0,
         .sliderMax = 0.1,
         .help =
             "Of the whole relative velocity of two particles that repel each other: takes the bounce away, and brakes "
             "sliding as friction would."});
}

}  // namespace clothlab::contact
