#pragma once

#include <functional>
#include <stop_token>

namespace clothlab::app::worker {

/// A token that either of two can set.
class EitherStop {
public:
    EitherStop(const std::stop_token& a, const std::stop_token& b)
        : onA_(a, [this] { source_.request_stop(); }), onB_(b, [this] { source_.request_stop(); }) {}
    std::stop_token token() const { return source_.get_token(); }

private:
    std::stop_source source_;
    std::stop_callback<std::function<void()>> onA_, onB_;
};

}  // namespace clothlab::app::worker
