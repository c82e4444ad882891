// contact
#include "contact/settings.hpp"

namespace clothlab::contact {

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
}

}  // namespace clothlab::contact
