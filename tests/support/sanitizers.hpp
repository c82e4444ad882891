#pragma once

namespace clothlab::testing {

/// Under a sanitizer each step takes ten to twenty times as long: tests of whole scenes then use small cloths and few
/// steps.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// The thread sanitizer sees nothing in what runs on one thread.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kRacesAlone = true;
#else
inline constexpr bool kRacesAlone = false;
#endif

}  // namespace clothlab::testing
