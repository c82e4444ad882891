#include "preconditioners/settings.hpp"

namespace clothlab::preconditioners {

void describe(PreconditionerSettings& s, FieldList& list) {
    list.add("kind", s.kind,
             {.label = "preconditioner",
              .help = "Changes the system that conjugate gradients see, not its solution: a better one needs fewer "
                      "iterations, and each costs more."});
}

}  // namespace clothlab::preconditioners
