#pragma once

#include <memory>
#include <utility>

#include "base/byte_stream.hpp"
#include "integrators/state/state.hpp"

/// Conversion of each part of a state to bytes and back: one walk for both, so that they cannot differ. It goes
/// through the members that the types name themselves (base/members.hpp).
namespace clothlab::simulation {

/// Io is StateWriting or StateReading.
template <class Io>
class StateWalk : public Io {
public:
    using Io::Io;

    void state(integrators::SimulationState& s) {
        integrators::visitState(s, [&](integrators::StateRole, auto& member) { part(member); });
    }

private:
    template <class... T>
    void parts(T&... each) {
        (part(each), ...);
    }
    template <ByteNumber T>
    void part(T& value) {
        this->number(value);
    }
    template <class Scalar>
    void part(Eigen::Matrix<Scalar, 3, 1>& v) {
        for (int axis = 0; axis < 3; ++axis) part(v[axis]);
    }
    void part(linalg::BlockVector& v) {
        const std::size_t n = this->count(std::size_t(v.size()), 3 * sizeof(double));
        if (Io::kReads) v = linalg::BlockVector(Index(n));
        for (std::size_t k = 0; k < 3 * n; ++k) part(v.data()[k]);
    }
    template <class T>
    void part(std::vector<T>& all) {
        const std::size_t n = this->count(all.size(), sizeof(char));
        if (Io::kReads) all.clear();
        for (std::size_t k = 0; k < n && !this->failed(); ++k) {
            if (Io::kReads) all.emplace_back();
            part(all[k]);
        }
    }
    template <class T, std::size_t N>
    void part(std::array<T, N>& all) {
        for (T& each : all) part(each);
    }
    template <HasMembers T>
    void part(T& value) {
        forEachMember(value, [&](auto& member) { part(member); });
    }
    void part(std::shared_ptr<const factors::FactorSource>& source) {
        bool there = source != nullptr;
        part(there);
        if (!there) return source.reset();
        factors::FactorSource own = source ? *source : factors::FactorSource();
        part(own);
        if (Io::kReads) source = std::make_shared<const factors::FactorSource>(std::move(own));
    }
    void part(std::shared_ptr<const linalg::BlockPattern>& pattern) {
        Index rows = pattern ? pattern->rows : 0, band = pattern ? pattern->band : 0;
        std::vector<Index> rowStart, column;
        if (pattern) rowStart = pattern->rowStart, column = pattern->column;
        parts(rows, rowStart, column, band);
        if (Io::kReads) pattern = this->pattern(rows, std::move(rowStart), std::move(column), band);
    }
};

class StateWriting {
public:
    static constexpr bool kReads = false;
    explicit StateWriting(ByteWriter& out) : out_(out) {}

protected:
    template <ByteNumber T>
    void number(T& value) {
        out_.number(value);
    }
    std::size_t count(std::size_t n, std::size_t) { return out_.count(n), n; }
    static bool failed() { return false; }
    static std::shared_ptr<const linalg::BlockPattern> pattern(Index, const std::vector<Index>&,
                                                               const std::vector<Index>&, Index) {
        return {};
    }

private:
    ByteWriter& out_;
};

class StateReading {
public:
    static constexpr bool kReads = true;
    explicit StateReading(ByteReader& in) : in_(in) {}

protected:
    template <ByteNumber T>
    void number(T& value) {
        value = in_.number<T>();
    }
    std::size_t count(std::size_t, std::size_t least) { return in_.count(least); }
    bool failed() const { return in_.failed(); }
    /// Null, with a reading error, if the rows form no pattern.
    std::shared_ptr<const linalg::BlockPattern> pattern(Index rows, std::vector<Index> rowStart,
                                                        std::vector<Index> column, Index band) const;

private:
    ByteReader& in_;
};

}  // namespace clothlab::simulation
