#pragma once

namespace clothlab::app::model {

/// How fast the motion is shown.
struct Speed {
    double factor;  ///< simulated seconds per second; 0 = unlimited
    const char* label;
};
inline constexpr Speed kSpeeds[] = {{0.1, "0.1×"}, {0.25, "0.25×"}, {0.5, "0.5×"}, {1, "1×"},
                                    {2, "2×"},     {4, "4×"},       {0, "max"}};

}  // namespace clothlab::app::model
