#pragma once

#include <string>
#include <string_view>

/// Keys of scenes, states and recordings of earlier versions that are no longer used. They are skipped with a note, so
/// that old files open.
namespace clothlab::scene {

bool isRetired(std::string_view key);
/// "fast_mass_spring.factor_change is not a setting any more: ...". The key is retired.
std::string retiredNote(std::string_view key);

}  // namespace clothlab::scene
