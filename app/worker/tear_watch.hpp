#pragma once

#include <memory>
#include <utility>

#include "worker/kept_motion.hpp"

namespace clothlab::app::worker {

/// What a tear is to undo. Cloth tears step by step, and a user takes back no steps: tears that follow each other
/// are one, and those of one pull of the hand are that pull. A tear goes back to before its first step, a pull to where
/// the hand took hold, since the cloth that it had stretched by then would tear again at once.
class TearWatch {
public:
    /// The hand takes hold; the motion is put aside there. Null: it lets go.
    void handHolds(std::shared_ptr<KeptMotion> pull) { pull_ = std::move(pull); }
    /// Something else was done to the motion: what tears next is another tear.
    void forget() { *this = {}; }
    /// Whether a tear in the next step, from `time` (s) on, needs the motion as it is before that step.
    bool wantsState(double time) const { return !pull_ && !goesOn(time); }
    /// The step that began at `time` (s) has torn cloth. True: a tear begins with it.
    bool tore(double time) {
        const bool same = pull_ ? pull_ == told_ : goesOn(time);
        last_ = time;
        told_ = pull_;
        return !same;
    }
    /// Where the hand took hold, if it tears the cloth.
    const std::shared_ptr<KeptMotion>& pull() const { return pull_; }

private:
    static constexpr double kPause = 0.5;  // s, of the motion: a longer one ends a tear
    bool goesOn(double time) const { return last_ >= 0 && time >= last_ && time - last_ <= kPause; }

    std::shared_ptr<KeptMotion> pull_, told_;
    double last_ = -1;  // s, when a step that tore cloth began last; negative: none
};

}  // namespace clothlab::app::worker
