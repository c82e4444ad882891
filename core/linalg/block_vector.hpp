#pragma once

#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include "base/platform.hpp"
#include "base/types.hpp"

namespace clothlab::linalg {

/// Cache-line aligned; from 2 MiB on aligned for large pages, which are requested from the kernel: a CG iteration
/// streams megabytes, and address translation would cost as much as the arithmetic.
template <class T>
struct AlignedAllocator {
    using value_type = T;
    AlignedAllocator() = default;
    template <class U>
    AlignedAllocator(const AlignedAllocator<U>&) {}
    T* allocate(std::size_t n) {
        const std::size_t bytes = n * sizeof(T);
        void* memory = ::operator new(bytes, alignment(bytes));
        if (bytes >= platform::kLargePage) platform::adviseLargePages(memory, bytes);
        return static_cast<T*>(memory);
    }
    void deallocate(T* p, std::size_t n) { ::operator delete(p, alignment(n * sizeof(T))); }
    static std::align_val_t alignment(std::size_t bytes) {
        return std::align_val_t{bytes >= platform::kLargePage ? platform::kLargePage : 64};
    }
    template <class U>
    bool operator==(const AlignedAllocator<U>&) const {
        return true;
    }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

/// One 3-vector per particle (#P x 3, row after row): positions, velocities, forces, unknowns. Cache-line aligned,
/// with four zeros behind the end, so that the kernels may load four doubles at any block.
class BlockVector {
public:
    static constexpr std::size_t kPadding = 4;

    BlockVector() : values_(kPadding, 0.0) {}
    explicit BlockVector(Index blocks) : blocks_(blocks), values_(3 * std::size_t(blocks) + kPadding, 0.0) {}

    Index size() const { return blocks_; }
    bool empty() const { return blocks_ == 0; }
    /// Keeps no values: every block becomes zero.
    void resize(Index blocks) {
        blocks_ = blocks;
        values_.assign(3 * std::size_t(blocks) + kPadding, 0.0);
    }
    void setZero() { std::memset(values_.data(), 0, values_.size() * sizeof(double)); }

    double* data() { return values_.data(); }
    const double* data() const { return values_.data(); }

    Eigen::Map<Vec3> operator[](Index i) { return Eigen::Map<Vec3>(values_.data() + 3 * std::size_t(i)); }
    Eigen::Map<const Vec3> operator[](Index i) const {
        return Eigen::Map<const Vec3>(values_.data() + 3 * std::size_t(i));
    }
    Eigen::Map<Eigen::VectorXd> flat() { return {values_.data(), 3 * Eigen::Index(blocks_)}; }
    Eigen::Map<const Eigen::VectorXd> flat() const { return {values_.data(), 3 * Eigen::Index(blocks_)}; }

    bool operator==(const BlockVector&) const = default;

private:
    Index blocks_ = 0;
    AlignedVector<double> values_;
};

}  // namespace clothlab::linalg
