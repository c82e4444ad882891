#pragma once

namespace clothlab::testing {

/// Under a sanitizer a step takes ten to twenty times as long, so tests of whole scenes use small cloths and few steps.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// The thread sanitizer finds nothing in code that runs on one thread.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kRacesAlone = true;
#else
inline constexpr bool kRacesAlone = false;
#endif

}  // namespace clothlab::testing
