#pragma once

namespace clothlab::app::commands {

inline constexpr int kExitDone = 0;  ///< done
/// The simulation diverged, a solve failed, or standard output could not be written.
inline constexpr int kExitDiverged = 1;
inline constexpr int kExitUsage = 2;     ///< wrong use, bad input, or an output that cannot be written
inline constexpr int kExitSignal = 128;  ///< plus the number of the signal that ended a run early

}  // namespace clothlab::app::commands
