#include "preconditioners/settings.hpp"

namespace clothlab::preconditioners {

void describe(PreconditionerSettings& s, FieldList& list) {
    list.add("kind", s.kind,
             {.label = "preconditioner",
              .help = "Changes the system that conjugate gradients see, not its solution: a better one needs fewer "
                      "iterations, and each costs more."});
    list.add("order", s.order,
             {.label = "order", .help = "incomplete-cholesky: the order of elimination decides how good the factor is."});
    list.add("ssor", s.ssorVariant, {.label = "SSOR by", .help = "What one relaxation of SSOR solves for."});
    list.add("omega", s.omega,
             {.label = "omega", .min = 0.05, .max = 1.95,
              .help = "SSOR's relaxation: above 1 over-relaxed. The published formula depends on units; after symmetric "
                      "scaling it gives 1."});
    list.add("poisson", s.poissonVariant, {.label = "form", .help = "incomplete-poisson: what its triangle is scaled by."});
    list.add("poisson_product", s.poissonProduct, {.label = "product", .help = "incomplete-poisson: which factor comes first."});
    list.add("core_ordering", s.coreOrdering,
             {.label = "ordering", .help = "matrix-core: the order of elimination of the factor."});
}

}  // namespace clothlab::preconditioners
