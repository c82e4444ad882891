#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cloth/cloth_model.hpp"
#include "contact/collider.hpp"
#include "scene/scene.hpp"
#include "simulation/history.hpp"
#include "simulation/report.hpp"
#include "worker/snapshots/particle_fields.hpp"
#include "worker/snapshots/strain_scale.hpp"

namespace clothlab::app::worker {

class MotionSlot;

/// Constant data of a mesh: made once per load, shared by all its snapshots.
struct MeshTopology {
    std::uint64_t revision = 0;
    Index particles = 0;
    std::vector<geometry::Triangle> triangles;  ///< those without a broken edge
    std::vector<cloth::Spring> springs;         ///< those that are not broken
    std::vector<std::uint8_t> broken;           ///< the state's flags that both were made with
    std::vector<float> uv;  ///< #P x 2, texture coordinates: the checks of the cloth, and the cells of its particles
    std::vector<cloth::ClothModel::Patch> patches;  ///< which particles belong to which cloth
    std::string sceneName, title, watch;
    scene::Fabric fabric = scene::Fabric::Cotton;
    scene::CameraHint camera;
    std::vector<contact::Collider> colliders;   ///< shapes; poses are in the snapshot
    std::vector<std::array<Index, 2>> threads;  ///< ends, of what is sewn
    std::vector<Index> outsideNumber;           ///< as ClothModel's: particle numbers in scripts and the state file

    Index particleNumber(Index particle) const {
        return outsideNumber.empty() || particle < 0 ? particle : outsideNumber[particle];
    }
    /// The particle with this number, or -1.
    Index findParticle(Index number) const;
};

/// The overlays requested by the window; only those are filled.
struct OverlayRequest {
    bool springStrain = false;
    bool fitStrain = false;  ///< the scale of strains ends beyond the largest
    bool springState = false;
    bool contacts = false;
    bool components = false;
    bool selfContact = false;
    bool zones = false;
    bool aggregates = false;
    bool intersections = false;
    scene::OverlayKind field = scene::OverlayKind::None;  ///< the overlay whose field is wanted
    bool operator==(const OverlayRequest&) const = default;
};

inline constexpr std::size_t kMostGhosts = 4;

/// The second cloth of a branch.
struct Ghost {
    bool present = false;
    std::int64_t startStep = 0;
    scene::Settings settings;
    std::vector<float> positions;   ///< #P x 3, m; empty when there is none
    double largest = -1, rms = -1;  ///< m, from the first cloth; negative when it has stopped
    std::string problem;            ///< why it stopped
};

/// The components of the implicit graph of the last step.
struct ComponentView {
    std::vector<Index> of;           ///< #P: number from 1 on, 0 = fixed; empty when there is no step to show
    std::vector<Index> size;         ///< particles of component c in [c - 1]
    std::vector<std::uint8_t> tone;  ///< of component c in [c - 1]: as assignTones() says
    std::vector<int> iterations;     ///< of component c in [c - 1]; empty unless each was solved by itself
    double iterationsTo = 1;         ///< a round number that is no less than any of them

    Index count() const { return Index(size.size()); }
    bool alone(std::size_t particle) const { return of[particle] > 0 && size[of[particle] - 1] == 1; }
};

/// Effects of self-contact in the step that led to the state shown.
struct SelfContactView {
    std::vector<std::uint8_t> kinds;          ///< #P, contact::SelfContactKind; empty: unknown
    std::vector<std::array<float, 6>> nears;  ///< m, both ends of each: a pair that was near at the start
};

/// Self-intersections in the state shown.
struct IntersectionView {
    bool searched = false;
    struct Pair {
        std::array<Index, 2> edge;
        geometry::Triangle triangle;
    };
    std::vector<Pair> pairs;
};

/// One published picture of the simulation: plain arrays of floats, made on the simulation's side, never changed while
/// the window reads it. Three of them are preallocated and swapped by an atomic index.
/// Wide on purpose: all data of a picture of one state, copied at once.
struct Snapshot {
    std::shared_ptr<const MeshTopology> mesh;
    std::uint64_t revision = 0;          ///< counts published snapshots
    std::uint64_t settingsRevision = 0;  ///< of the active settings: the echo
    std::uint64_t commands = 0;          ///< how many commands have been carried out
    scene::Settings settings;            ///< active
    /// Settings of the step that led to the state shown; null: none did (the start).
    std::shared_ptr<const scene::Settings> madeWith;
    simulation::StateIdentity identity;  ///< of the state shown
    std::string refusal;                 ///< why the active settings cannot run, or empty

    std::vector<float> positions;           ///< #P x 3, m
    ParticleField field;                    ///< if asked for
    ComponentView components;               ///< if asked for
    ComponentView aggregates;               ///< of the last solve's deflation, if asked for; 0 = in none
    ComponentView zones;                    ///< of impact, if asked for; 0 = in none
    SelfContactView selfContact;            ///< if asked for
    IntersectionView intersections;         ///< if asked for
    std::vector<float> springStrain;        ///< #springs, (l - L)/L, if asked for
    float strainEnd = kUsualStrainEnd;      ///< of the scale that they are coloured by
    std::vector<std::uint8_t> springState;  ///< #springs, if asked for
    std::vector<std::uint8_t> ndof;         ///< #P, if contacts were asked for
    struct Contact {
        Index particle;
        int ndof;
        float normal[3];
    };
    std::vector<Contact> contacts;                     ///< if asked for
    std::vector<contact::ColliderPose> colliderPoses;  ///< one per collider
    std::vector<Index> pins;
    /// Constraint of a pin that is not a point: a line along a direction (ndof 1) or a plane with a normal (2).
    struct PinGuide {
        Index particle;
        int ndof;
        float direction[3];  ///< unit, as its motion has turned it
    };
    std::vector<PinGuide> pinGuides;
    Index pinsCarried = 0;  ///< that have a motion
    bool grabActive = false;
    Index grabParticle = -1;
    float grabTarget[3] = {0, 0, 0};

    std::int64_t step = 0;
    double timeSeconds = 0;
    std::int64_t historyFirst = 0, historyLast = 0;
    bool playing = false;
    double speed = 1;               ///< wanted: simulated seconds per second; 0 = unlimited
    double realTimeFactor = 0;      ///< reached over the last second; 0 = not measured
    int threads = 1;                ///< used by the simulation
    simulation::StepReport report;  ///< of the step that led to the state shown, or of the attempt that failed after it
    Ghost ghost;                    ///< the first, to which all texts refer
    std::vector<Ghost> furtherGhosts;  ///< later ones
    /// Number of ghosts.
    std::size_t ghosts() const { return ghost.present ? 1 + furtherGhosts.size() : 0; }
    const Ghost& ghostAt(std::size_t k) const { return k == 0 ? ghost : furtherGhosts[k - 1]; }
    std::vector<float> residualHistory;  ///< of the solve of `report`; empty where it did not iterate, or none is kept
    double explicitLimit = 0;            ///< s
    double building = -1;                ///< 0..1: progress of distance fields of the next scene; negative: none
    std::uint64_t followed = 0;          ///< serial of the last state of another program (FollowState); 0: none
    std::uint64_t refusedLoad = 0;       ///< revision of the last scene that could not be built
    struct Saved {
        std::uint64_t serial = 0;  ///< of the last SaveState; 0: none yet
        std::string path, problem;
    };
    Saved saved;
    struct Replayed {
        enum class Phase { None, On, Left, Ended };
        Phase phase = Phase::None;
        std::int64_t steps = 0, all = 0;
        std::shared_ptr<const scene::Scene> scene = {};  ///< that it has loaded since it began; null: the first
    };
    Replayed replayed;
    bool plain = true;       ///< nothing changed since the scene was loaded, except settings before step 1
    std::int64_t taken = 0;  ///< steps taken, including failed and undone ones
    std::string unrecorded;  ///< why the recording stopped, or empty
    std::string problem;     ///< why the motion stopped (diverged, refused), or empty
    /// A change that lets it continue, tried on a copy: "integrator.active_set=3", and the settings with it; empty,
    /// null: none.
    std::string cure;
    std::shared_ptr<const scene::Settings> cureSettings;
    std::string warning;  ///< the last warning about the motion: of its start or of a step
};

/// A report (with its methods, by which curves are coloured); or (`cleared`) the news that the motion restarts and
/// older reports belong to another one. Reports at or before an earlier step replace those after it.
struct ReportEntry {
    bool cleared = false;
    simulation::StepReport report;
    std::optional<simulation::StepReport> ghost = {};  ///< of the second cloth's last step, when it took one meanwhile
    /// m, the largest of each ghost after the first; negative: it has stopped.
    std::vector<double> furtherDistances = {};
    std::shared_ptr<const scene::Settings> settings = {};  ///< of that step; the same object as long as none changes
    /// A tear begins with this step: the motion before it, and whether a grab tears the cloth.
    struct Tear {
        std::shared_ptr<MotionSlot> before;
        bool pulled = false;
    };
    std::optional<Tear> tear = {};
};

}  // namespace clothlab::app::worker
