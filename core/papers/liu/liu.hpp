#pragma once

#include "papers/stepped_system.hpp"

/// The tables of [L] (Liu, Bargteil, O'Brien, Kavan 2013).
namespace clothlab::papers::liu {

std::span<const PaperTable> tables();

}  // namespace clothlab::papers::liu
