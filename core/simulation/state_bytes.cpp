#include "simulation/state_bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <span>
#include <type_traits>

#include "base/byte_stream.hpp"
#include "base/members.hpp"
#include "base/state_hash.hpp"
#include "base/text.hpp"
#include "simulation/state_io.hpp"

namespace clothlab::simulation {
namespace {

constexpr std::string_view kMagic = "clothlab-state ";

std::uint64_t computeHash(std::string_view bytes) {
    StateHash hash;
    hash.bytes(bytes.data(), bytes.size());
    return hash.digest();
}

std::uint64_t computeHash(const geometry::TriangleMesh& mesh, std::span<const std::array<Index, 2>> seams = {}) {
    StateHash hash;
    for (const Vec3& p : mesh.points) hash.bytes(p.data(), 3 * sizeof(double));
    for (const geometry::Triangle& t : mesh.triangles)
        for (const Index corner : t) hash.value(corner);
    for (const auto& seam : seams)
        for (const Index end : seam) hash.value(end);
    return hash.digest();
}

}  // namespace

std::vector<std::pair<std::string, std::uint64_t>> meshHashes(const scene::Scene& scene) {
    std::vector<std::pair<std::string, std::uint64_t>> meshes;
    for (const scene::ClothPatch& cloth : scene.cloths)
        if (cloth.mesh && cloth.mesh.garmentSpacing == 0)
            meshes.emplace_back(cloth.mesh.name(), cloth.sewing.on
                                                       ? computeHash(*cloth.mesh.content, cloth.mesh.content->seams)
                                                       : computeHash(*cloth.mesh.content));
    for (const contact::Collider& solid : scene.colliders)
        if (const auto* mesh = std::get_if<geometry::MeshSolid>(&solid.shape); mesh && !mesh->path.empty())
            meshes.emplace_back(solid.name, computeHash(*mesh->surface));
    return meshes;
}

std::string framed(std::string_view payload) {
    ByteWriter head;
    head.count(payload.size());
    head.number(computeHash(payload));
    return fmt::format("{}{}\n{}{}", kMagic, kStateVersion, head.bytes(), payload);
}

std::string stateBytes(const scene::Scene& scene, integrators::SimulationState state) {
    ByteWriter payload;
    payload.text(scene.name);
    payload.text(scene::writeScene(scene));
    const auto meshes = meshHashes(scene);
    payload.count(meshes.size());
    for (const auto& [name, hash] : meshes) payload.number(hash);
    integrators::forget(state, integrators::StateRole::Hand);
    StateWalk<StateWriting>(payload).state(state);
    payload.number(integrators::stateHash(state));
    return framed(payload.bytes());
}

Expected<SavedState> readStateBytes(std::string_view bytes, const std::string& file) {
    const auto refuse = [&](std::string message, std::vector<std::string> choices = {}) {
        return fail(Error{.message = std::move(message), .file = file, .choices = std::move(choices)});
    };
    const std::size_t end = bytes.substr(0, 40).find('\n');
    if (!bytes.starts_with(kMagic) || end == bytes.npos)
        return refuse("this is no saved state", {"a file that Ctrl + S or `run --save` has written"});
    const auto version = parseWhole(bytes.substr(kMagic.size(), end - kMagic.size()));
    if (!version || *version != kStateVersion)
        return refuse(fmt::format("a state of version '{}'; this program reads version {}",
                                  shown(bytes.substr(kMagic.size(), end - kMagic.size())), kStateVersion));
    ByteReader head(bytes.substr(end + 1));
    const auto length = head.number<std::uint64_t>(), hash = head.number<std::uint64_t>();
    constexpr std::size_t kHead = 2 * sizeof(std::uint64_t);
    const std::string_view payload = bytes.substr(std::min(end + 1 + kHead, bytes.size()));
    if (head.failed() || payload.size() < length)
        return refuse(
            fmt::format("the file is cut short: it has {} bytes of {}", bytes.size(), end + 1 + kHead + length));
    if (payload.size() > length) return refuse("the file is longer than its header says");
    if (computeHash(payload) != hash)
        return refuse("the file was changed since it was written: its bytes do not fit its hash");

    ByteReader in(payload);
    SavedState saved;
    const std::string name = in.text(), text = in.text();
    auto scene = scene::readSceneText(text, file);
    if (!scene) {
        Error error = scene.error();
        return refuse("its scene cannot be read: " + error.message, std::move(error.choices));
    }
    saved.scene = std::move(*scene);
    saved.scene.name = name;
    saved.scene.file.clear();
    const auto meshes = meshHashes(saved.scene);
    const std::size_t count = in.count(sizeof(std::uint64_t));
    bool same = count == meshes.size();
    for (std::size_t k = 0; k < count; ++k) {
        const auto then = in.number<std::uint64_t>();
        if (k < meshes.size() && meshes[k].second != then)
            return refuse(fmt::format("the mesh {} has changed since the state was saved", shown(meshes[k].first)));
    }
    StateWalk<StateReading>(in).state(saved.state);
    const auto stateHash = in.number<std::uint64_t>();
    if (!same || in.failed() || !in.atEnd() || stateHash != integrators::stateHash(saved.state))
        return refuse("the state in it is incomplete");
    return saved;
}

std::shared_ptr<const linalg::BlockPattern> StateReading::pattern(Index rows, std::vector<Index> rowStart,
                                                                  std::vector<Index> column, Index band) const {
    const auto blocks = std::ssize(column);
    if (rows < 0 || band < 0 || std::ssize(rowStart) != std::ptrdiff_t(rows) + 1) return {};
    if (rowStart.front() != 0 || rowStart.back() != blocks || !std::ranges::is_sorted(rowStart)) return {};
    for (Index i = 0; i < rows; ++i) {
        const auto row = std::span(column).subspan(rowStart[i], rowStart[i + 1] - rowStart[i]);
        if (std::ranges::adjacent_find(row, std::greater_equal<>()) != row.end()) return {};  // they ascend
        if (!std::ranges::binary_search(row, i) || row.front() < 0 || row.back() >= rows) return {};
    }
    return linalg::makePattern(rows, std::move(rowStart), std::move(column), band);
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

/// Calls visit(member) for all of a report but its methods.
template <class Report, class Visit>
void visitReport(Report& report, Visit visit) {
    const auto each = [&visit](auto&... members) { (visit(members), ...); };
    auto& [step, methods, timeSeconds, status, solveStatus, iterations, doubleIterations, linearIterations,
           outerIterations, outerResidual, dt, explicitLimit, rejected, substeps, implicitSprings, explicitSprings,
           uncoupled, trueRelativeResidual, icShift, coarseUnknowns, domains, interfaceRows, coarseMs, factorAge,
           factorAdopted, newFactorMs, factorColumnsMs, fill, flops, relativeFill, solverBytes, stepMs, assembleMs,
           analyzeMs, factorMs, solveMs, contactMs, otherMs, kineticJ, gravityJ, stretchJ, shearJ, bendJ, repulsionJ,
           sewingJ, maxStrain, maxShearStrain, contacts, brokenSprings, repulsionPairs, contactRepeats, selfContact,
           limited, seams, energyGivenJ, ndofCounts, components, largestComponent, rowIterations, cutPairs, decomposeMs,
           ghostDistance, ghostRms, threads, stateHash, message, advice, warning] = report;
    each(step, timeSeconds, status, solveStatus, iterations, doubleIterations, linearIterations, outerIterations,
         outerResidual, dt, explicitLimit, rejected, substeps, implicitSprings, explicitSprings, uncoupled,
         trueRelativeResidual, icShift, coarseUnknowns, domains, interfaceRows, coarseMs, factorAge, factorAdopted,
         newFactorMs, factorColumnsMs, fill, flops, relativeFill, solverBytes, stepMs, assembleMs, analyzeMs, factorMs,
         solveMs, contactMs, otherMs, kineticJ, gravityJ, stretchJ, shearJ, bendJ, repulsionJ, sewingJ, maxStrain,
         maxShearStrain, contacts, brokenSprings, repulsionPairs, contactRepeats, selfContact, limited, seams,
         energyGivenJ, ndofCounts, components, largestComponent, rowIterations, cutPairs, decomposeMs, ghostDistance,
         ghostRms, threads, stateHash, message, advice, warning);
}

struct ReportWriting {
    ByteWriter& out;
    void operator()(const std::string& text) const { out.text(text); }
    template <class T>
    void operator()(const T& value) const {
        static_assert(std::is_trivially_copyable_v<T>);
        out.text({reinterpret_cast<const char*>(&value), sizeof value});
    }
};

struct ReportReading {
    ByteReader& in;
    void operator()(std::string& text) const { text = in.text(); }
    template <class T>
    void operator()(T& value) const {
        const std::string bytes = in.text();
        if (bytes.size() == sizeof value) std::memcpy(static_cast<void*>(&value), bytes.data(), sizeof value);
    }
};

}  // namespace

std::string shownBytes(std::string_view stateBytes, const StepReport* report) {
    ByteWriter out;
    out.text(stateBytes);
    out.number(report != nullptr);
    if (report) visitReport(*report, ReportWriting{out});
    return out.bytes();
}

Expected<Shown> readShown(std::string_view bytes, const std::string& file) {
    ByteReader in(bytes);
    auto saved = readStateBytes(in.text(), file);
    if (!saved) return fail(saved.error());
    Shown shown{.saved = std::move(*saved)};
    if (in.number<bool>()) {
        visitReport(shown.report.emplace(), ReportReading{in});
        const scene::Settings& settings = shown.saved.scene.settings;
        shown.report->methods = {settings.integrator.kind, settings.solver, settings.preconditioner};
    }
    if (in.failed() || !in.atEnd()) return fail(Error{.message = "the data to be shown is incomplete", .file = file});
    return shown;
}

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
    if (in.failed() || !in.atEnd()) return fail("the data handed over by a window is incomplete");
    return hand;
}

}  // namespace clothlab::simulation
