#include "simulation/state_file.hpp"

#include "base/byte_stream.hpp"
#include "base/input.hpp"
#include "base/members.hpp"
#include "preconditioners/catalogue.hpp"
#include "solvers/catalogue.hpp"

namespace clothlab::simulation {
namespace {

constexpr InputLimits kStateLimits{.bytes = std::uintmax_t{2} << 30};

}  // namespace

std::string stateBytes(const Simulation& simulation) { return stateBytes(simulation.scene(), simulation.state()); }

Expected<void> saveState(const Simulation& simulation, const std::string& path, const InputFiles& inputs) {
    return writeFile(path, stateBytes(simulation), inputs);
}

Expected<SavedState> loadState(const std::string& path) {
    const auto bytes = readFile(path, kStateLimits);
    if (!bytes) return fail(bytes.error());
    return readStateBytes(*bytes, path);
}

std::string lostFactor(const scene::Settings& settings) {
    if (!solvers::usesPreconditioner(settings.solver.kind) || !preconditioners::traitsOf(settings.preconditioner).lag)
        return {};
    return "a state has no factor of earlier steps: the lagged preconditioner begins with a new one, and last bits may "
           "differ from those of a run without a break";
}

Expected<std::unique_ptr<Simulation>> resume(const SavedState& saved, int threads) {
    auto made = Simulation::create(saved.scene, threads);
    if (!made) return made;
    if (std::string why = misfit(saved.state, **made); !why.empty())
        return fail(Error{.message = "the saved state does not fit its scene: " + why});
    (*made)->setState(saved.state);
    return made;
}

namespace {

/// Which particle or solid, and where to.
template <class Grab>
void write(ByteWriter& out, Grab grab) {
    forEachMember(grab, [&](const auto& member) {
        if constexpr (ByteNumber<std::decay_t<decltype(member)>>)
            out.number(member);
        else
            for (int axis = 0; axis < 3; ++axis) out.number(member[axis]);
    });
}

template <class Grab>
void read(ByteReader& in, Grab& grab) {
    forEachMember(grab, [&](auto& member) {
        using Member = std::decay_t<decltype(member)>;
        if constexpr (ByteNumber<Member>)
            member = in.number<Member>();
        else
            for (int axis = 0; axis < 3; ++axis) member[axis] = in.number<double>();
    });
}

}  // namespace

std::string handOverBytes(const HandOver& hand) {
    ByteWriter out;
    out.text(hand.state);
    out.number(hand.hold.has_value());
    if (hand.hold) write(out, hand.hold->cloth), write(out, hand.hold->solid);
    return out.bytes();
}

Expected<HandOver> readHandOver(std::string_view bytes) {
    ByteReader in(bytes);
    HandOver hand{.state = in.text()};
    if (in.number<bool>()) {
        hand.hold.emplace();
        read(in, hand.hold->cloth);
        read(in, hand.hold->solid);
    }
    if (in.failed() || !in.atEnd()) return fail("what a window handed over is not whole");
    return hand;
}

}  // namespace clothlab::simulation
