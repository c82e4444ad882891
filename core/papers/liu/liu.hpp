#pragma once

#include "papers/stepped_system.hpp"

/// The tables of [L].
namespace clothlab::papers::liu {

std::span<const PaperTable> tables();

}  // namespace clothlab::papers::liu
