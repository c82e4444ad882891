#include "geometry/continuous_collision.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace clothlab::geometry {
namespace {

struct ExactQuery {
    PairMotion motion;
    bool meets;
};

/// A line has the kind (vf, ee), 24 coordinates as hexadecimal floats (corners at the start, then at the end) and the
/// exact answer.
std::vector<ExactQuery> readQueries(const std::string& path) {
    std::vector<ExactQuery> out;
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) {
        if (line.starts_with('#')) continue;
        std::istringstream words(line);
        std::string word;
        words >> word;
        ExactQuery q{};
        q.motion.kind = word == "vf" ? PairKind::VertexTriangle : PairKind::EdgeEdge;
        for (PairPoints* points : {&q.motion.start, &q.motion.end})
            for (Vec3& p : *points)
                for (int axis = 0; axis < 3; ++axis) {
                    words >> word;
                    p[axis] = std::strtod(word.c_str(), nullptr);
                }
        words >> q.meets;
        out.push_back(q);
    }
    return out;
}

PairMotion moving(PairKind kind, const PairPoints& start, const Vec3& velocityOfFirst) {
    PairMotion m{kind, start, start};
    const int first = kind == PairKind::VertexTriangle ? 1 : 2;
    for (int k = 0; k < first; ++k) m.end[k] += velocityOfFirst;
    return m;
}

const PairPoints kOverTriangle{Vec3(0.25, 0.25, 1), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
const PairPoints kCrossed{Vec3(-1, 0, 1), Vec3(1, 0, 1), Vec3(0, -1, 0), Vec3(0, 1, 0)};

// Methods, oracle 56.
TEST(ContinuousCollision, MeetsWhenItMust) {
    const auto falls = firstMeeting(moving(PairKind::VertexTriangle, kOverTriangle, Vec3(0, 0, -2)));
    ASSERT_TRUE(falls);
    EXPECT_NEAR(*falls, 0.5, 1e-9);
    const auto cross = firstMeeting(moving(PairKind::EdgeEdge, kCrossed, Vec3(0, 0, -4)));
    ASSERT_TRUE(cross);
    EXPECT_NEAR(*cross, 0.25, 1e-9);
    EXPECT_FALSE(firstMeeting(moving(PairKind::VertexTriangle, kOverTriangle, Vec3(0, 0, -0.999))));
    EXPECT_FALSE(firstMeeting(moving(PairKind::VertexTriangle, kOverTriangle, Vec3(3, 0, -2))));
    EXPECT_FALSE(firstMeeting(moving(PairKind::EdgeEdge, kCrossed, Vec3(0, 5, -4))));
}

TEST(ContinuousCollision, KeepsTheDistanceThatIsAskedFor) {
    const auto early = firstMeeting(moving(PairKind::VertexTriangle, kOverTriangle, Vec3(0, 0, -2)), 0.25);
    ASSERT_TRUE(early);
    EXPECT_NEAR(*early, 0.375, 1e-9);
    EXPECT_TRUE(firstMeeting(moving(PairKind::VertexTriangle, kOverTriangle, Vec3(0, 0, -0.8)), 0.25));
    EXPECT_FALSE(firstMeeting(moving(PairKind::VertexTriangle, kOverTriangle, Vec3(0, 0, -0.74)), 0.25));
}

TEST(ContinuousCollision, NumbersThatAreNoneMeet) {
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
        PairMotion m = moving(PairKind::VertexTriangle, kOverTriangle, Vec3(0, 0, 1));
        m.end[2][1] = bad;
        EXPECT_TRUE(firstMeeting(m));
    }
}

// The answers are exact: all coordinates are doubles, and rational arithmetic decided.
TEST(ContinuousCollision, MissesNoneOfTheExactQueries) {
    const auto queries = readQueries(std::string(CLOTHLAB_SOURCE_DIR) + "/tests/geometry/collision_queries.txt");
    ASSERT_EQ(queries.size(), 1824u);
    int meet = 0, missed = 0, feared = 0;
    for (const ExactQuery& q : queries) {
        const bool found = firstMeeting(q.motion).has_value();
        meet += q.meets;
        missed += q.meets && !found;
        feared += found && !q.meets;
    }
    EXPECT_EQ(meet, 262);
    EXPECT_EQ(missed, 0);
    EXPECT_LE(feared, (1824 - 262) / 100) << "false alarms";
    RecordProperty("false_alarms", feared);
}

/// Motions that meet at a chosen time and place. All numbers are dyadic with few bits, so that start, end and meeting
/// are exact.
class Planted {
public:
    explicit Planted(std::uint32_t seed) : random_(seed) {}
    PairMotion next() {
        PairMotion m;
        m.kind = random_() % 2 ? PairKind::EdgeEdge : PairKind::VertexTriangle;
        // Sixteenths of the sides, corners and borders included.
        const double a = share(16), b = m.kind == PairKind::EdgeEdge ? share(16) : share(16 - int(16 * a));
        const double time = share(64);
        const double size = std::ldexp(1.0, -int(random_() % 12)), speed = std::ldexp(1.0, -int(random_() % 12));
        const Vec3 frame = random_() % 4 ? Vec3(point(1)) : Vec3(Vec3::Zero());
        PairPoints meeting, velocity;
        for (int k = 0; k < 4; ++k) {
            meeting[k] = frame + point(size);
            velocity[k] = point(speed);
        }
        if (random_() % 8 == 0) flatten(meeting, velocity);
        if (m.kind == PairKind::EdgeEdge)
            meeting[3] = meeting[2] + 16 * ((meeting[0] - meeting[2]) + a * (meeting[1] - meeting[0])) * oneOver(b);
        else
            meeting[0] = meeting[1] + a * (meeting[2] - meeting[1]) + b * (meeting[3] - meeting[1]);
        for (int k = 0; k < 4; ++k) {
            m.start[k] = meeting[k] - time * velocity[k];
            m.end[k] = meeting[k] + (1 - time) * velocity[k];
        }
        return m;
    }

private:
    double share(int parts) { return double(random_() % unsigned(parts + 1)) / 16 * (parts == 64 ? 0.25 : 1); }
    /// Scales the second edge so that the meeting is at 1/16, 1/8, 1/4, 1/2 or the whole of its length.
    static double oneOver(double b) {
        for (int power = 0; power < 4; ++power)
            if (b <= std::ldexp(1.0, power - 4)) return std::ldexp(1.0, -power);
        return 1.0 / 16;
    }
    Vec3 point(double size) { return Vec3(coordinate(size), coordinate(size), coordinate(size)); }
    double coordinate(double size) { return size * (double(random_() % 4096) - 2048) / 2048; }
    /// Moves everything in one plane, where the cubic of the four points vanishes at all times.
    static void flatten(PairPoints& meeting, PairPoints& velocity) {
        for (int k = 0; k < 4; ++k) meeting[k].z() = velocity[k].z() = 0;
    }
    std::mt19937 random_;
};

TEST(ContinuousCollision, MissesNoMeetingThatIsPlanted) {
    const char* asked = std::getenv("CLOTHLAB_PLANTED_MEETINGS");
    const long count = asked ? std::atol(asked) : 200'000;
    Planted planted(7);
    long missed = 0, missedInQuadruple = 0;
    for (long k = 0; k < count; ++k) {
        const PairMotion motion = planted.next();
        missed += !firstMeeting(motion, 1e-300);  // in doubles only
        if (k % 64 == 0) missedInQuadruple += !firstMeeting(motion);
    }
    EXPECT_EQ(missed, 0) << "of " << count;
    EXPECT_EQ(missedInQuadruple, 0);
}

/// A slab around a turning and moving plane keeps the points apart at all times, so that no pair meets.
TEST(ContinuousCollision, FearsNothingThatStaysApart) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(-1, 1);
    int feared = 0;
    constexpr int kCount = 20'000;
    for (int k = 0; k < kCount; ++k) {
        PairMotion m;
        m.kind = k % 2 ? PairKind::EdgeEdge : PairKind::VertexTriangle;
        const Vec3 shift(unit(random), unit(random), unit(random));
        const double gap = std::pow(10.0, -6 * std::abs(unit(random)));
        for (int corner = 0; corner < 4; ++corner) {
            const double side = corner < (m.kind == PairKind::VertexTriangle ? 1 : 2) ? 1 : -1;
            const auto place = [&] {
                return Vec3(unit(random), side * gap * (0.5 + std::abs(unit(random))), unit(random));
            };
            m.start[corner] = place();
            m.end[corner] = place() + shift;
        }
        feared += firstMeeting(m).has_value();
    }
    EXPECT_EQ(feared, 0);
}

TEST(ClosestPoints, AreTheLeastOverAFineSampling) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (int k = 0; k < 300; ++k) {
        PairPoints p;
        for (Vec3& point : p) point = Vec3(unit(random), unit(random), unit(random));
        const PairKind kind = k % 2 ? PairKind::EdgeEdge : PairKind::VertexTriangle;
        const ClosestPoints found = closestPoints(kind, p);
        double least = 1e300, sum = 0;
        constexpr int kGrid = 60;
        for (int i = 0; i <= kGrid; ++i)
            for (int j = 0; j <= (kind == PairKind::EdgeEdge ? kGrid : kGrid - i); ++j) {
                const double a = double(i) / kGrid, b = double(j) / kGrid;
                const Vec3 apart = kind == PairKind::EdgeEdge
                                       ? Vec3(p[0] + a * (p[1] - p[0]) - p[2] - b * (p[3] - p[2]))
                                       : Vec3(p[0] - p[1] - a * (p[2] - p[1]) - b * (p[3] - p[1]));
                least = std::min(least, apart.norm());
            }
        EXPECT_LE(found.distance(), least + 1e-12);
        EXPECT_GE(found.distance(), least - 3.5 / kGrid);
        Vec3 apart = Vec3::Zero();
        for (int corner = 0; corner < 4; ++corner) {
            apart += found.weights[corner] * p[corner];
            sum += found.weights[corner];
        }
        EXPECT_NEAR(sum, 0, 1e-15);
        EXPECT_LE((apart - found.apart).norm(), 1e-14);
    }
}

}  // namespace
}  // namespace clothlab::geometry
