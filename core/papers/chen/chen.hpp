#pragma once

#include "papers/job.hpp"

/// The tables of [C] Chen 2021.
namespace clothlab::simulation::chen {

std::span<const PaperTable> tables();

}  // namespace clothlab::simulation::chen
