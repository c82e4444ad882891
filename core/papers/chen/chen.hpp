#pragma once

#include "papers/job.hpp"

/// The tables of [C] Chen 2021.
namespace clothlab::papers::chen {

std::span<const PaperTable> tables();

}  // namespace clothlab::papers::chen
