#include "experiments/systems/system_formats.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "base/output.hpp"
#include "experiments/systems/petsc_binary.hpp"
#include "experiments/systems/sparse_npz.hpp"
#include "experiments/systems/system_files.hpp"
#include "records/npy.hpp"
#include "records/zip.hpp"
#include "scratch_folder.hpp"
#include "support/random_systems.hpp"

namespace clothlab::experiments {
namespace {

using linalg::CoreMask;
using tests::ScratchFolder;

/// A system with unsymmetric blocks, empty ones, a core of some of them, and constraints of every kind.
linalg::FrozenSystem frozenSystem(bool withCore = true) {
    testing::RandomSystem made = testing::randomSystem(23, 5, 0.5, true);
    linalg::FrozenSystem out;
    out.A = made.A;
    const linalg::BlockPattern& pattern = out.A.pattern();  // MatrixMarket stores one half
    for (Index i = 0; i < pattern.rows; ++i)
        for (Index k = pattern.rowStart[i]; k < pattern.rowStart[i + 1]; ++k) {
            const Mat3 mirror = out.A.block(pattern.find(pattern.column[k], i)).transpose();
            if (pattern.column[k] > i) out.A.block(k) = mirror;
            if (pattern.column[k] == i) out.A.block(k) = 0.5 * (mirror + mirror.transpose());
        }
    out.b = made.b;
    out.constraints = made.constraints;
    out.deltaV = made.b;
    if (!withCore) return out;
    const linalg::BlockPattern& p = out.A.pattern();
    out.core.revision = p.revision;
    out.core.offDiagonal.assign(std::size_t(p.blocks()), 0);
    for (Index i = 0; i < p.rows; ++i)
        for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k)
            out.core.offDiagonal[k] =
                i == p.column[k] ? 1 : std::uint8_t((i + p.column[k]) % 3 == 0 ? 3 : (i + p.column[k]) % 3 == 1);
    return out;
}

std::vector<double> allValues(const linalg::BlockMatrix& A) {
    std::vector<double> out;
    for (Index k = 0; k < A.pattern().blocks(); ++k) out.insert(out.end(), A.blockData(k), A.blockData(k) + 9);
    return out;
}

Expected<linalg::FrozenSystem> written(const linalg::FrozenSystem& system, SystemForm form, const std::string& folder) {
    const auto files = systemFiles(system, {}, nullptr, form);
    if (!files) return fail(files.error());
    for (const auto& [name, content] : *files)
        if (auto done = writeFile(folder + "/" + std::string(name), content, {}); !done) return fail(done.error());
    return importSystem(folder);
}

TEST(SystemFormats, ASystemComesBackToTheSameBits) {
    const linalg::FrozenSystem system = frozenSystem();
    bool unsymmetric = false, empty = false;
    for (Index k = 0; k < system.A.pattern().blocks(); ++k) {
        unsymmetric |= system.A.block(k) != system.A.block(k).transpose();
        empty |= !system.A.occupied(k);
    }
    ASSERT_TRUE(unsymmetric && empty) << "the system is too easy";
    for (const SystemFormat& format : systemFormats()) {
        const ScratchFolder folder;
        const auto read = written(system, format.form, folder.path());
        const std::string_view which = enumKey(format.form);
        ASSERT_TRUE(read) << which << read.error().text();
        EXPECT_EQ(read->A.pattern().column, system.A.pattern().column) << which;
        EXPECT_EQ(allValues(read->A), allValues(system.A)) << which;
        for (Index k = 0; k < system.A.pattern().blocks(); ++k)
            EXPECT_EQ(read->A.occupied(k), system.A.occupied(k)) << which << k;
        EXPECT_EQ(read->core.offDiagonal, system.core.offDiagonal) << which;
        EXPECT_EQ(0, std::memcmp(read->b.data(), system.b.data(), 24 * std::size_t(system.b.size()))) << which;
        const std::vector<double> S = allValues(filterMatrix(system.constraints)),
                                  S2 = allValues(filterMatrix(read->constraints));
        for (std::size_t k = 0; k < S.size(); ++k) EXPECT_NEAR(S[k], S2[k], 1e-15) << which;
        linalg::BlockVector z(23), z2(23);
        system.constraints.prescribed(z);
        read->constraints.prescribed(z2);
        EXPECT_LT(testing::distance(z, z2), 1e-14) << which;
    }
}

// Deflation needs the positions of the particles. A system has them if it was written with its state.
TEST(SystemFormats, PositionsComeBackWithTheStateOnly) {
    const linalg::FrozenSystem system = frozenSystem();
    SystemOrigin origin;
    origin.x = system.b;
    origin.v.resize(system.b.size());
    for (const SystemFormat& format : systemFormats()) {
        const ScratchFolder folder;
        const auto files = systemFiles(system, {}, &origin, format.form);
        ASSERT_TRUE(files) << files.error().text();
        for (const auto& [name, content] : *files)
            ASSERT_TRUE(writeFile(folder.path() + "/" + std::string(name), content, {}));
        const auto read = importSystem(folder.path());
        ASSERT_TRUE(read) << enumKey(format.form) << read.error().text();
        EXPECT_EQ(read->positions, origin.x) << enumKey(format.form);
        std::filesystem::remove(folder.path() + "/" + format.vectorName("v"));
        const auto solution = importSystem(folder.path());
        ASSERT_TRUE(solution) << solution.error().text();
        EXPECT_TRUE(solution->positions.empty()) << enumKey(format.form);
    }
}

TEST(SystemFormats, WithoutACoreThereIsNoneAfterwards) {
    for (const SystemFormat& format : systemFormats()) {
        const ScratchFolder folder;
        const auto read = written(frozenSystem(false), format.form, folder.path());
        ASSERT_TRUE(read) << read.error().text();
        EXPECT_TRUE(read->core.offDiagonal.empty());
    }
}

TEST(SystemFormats, AFolderInTwoFormatsIsAskedAbout) {
    const ScratchFolder folder;
    ASSERT_TRUE(written(frozenSystem(), SystemForm::Npz, folder.path()));
    const auto both = written(frozenSystem(), SystemForm::Petsc, folder.path());
    ASSERT_FALSE(both);
    EXPECT_NE(both.error().text().find("A.npz and A.petsc"), std::string::npos) << both.error().text();
}

TEST(SystemFormats, WhatSaysTheSameTwiceMustAgree) {
    for (const SystemFormat& format : systemFormats()) {
        const ScratchFolder folder;
        linalg::FrozenSystem system = frozenSystem();
        ASSERT_TRUE(written(system, format.form, folder.path()));
        system.constraints.reset(system.A.rows());
        const std::string name = format.matrixName("S");
        ASSERT_TRUE(writeFile(folder.file(name), *format.matrix(filterMatrix(system.constraints), nullptr), {}));
        const auto read = importSystem(folder.path());
        ASSERT_FALSE(read);
        EXPECT_NE(read.error().text().find(name), std::string::npos) << read.error().text();
        EXPECT_NE(read.error().text().find("constraints.json"), std::string::npos) << read.error().text();
    }
}

// --- malformed files

template <class Read>
void expectMessage(Read read, const std::string& bytes, std::string_view words) {
    const auto result = read(bytes, "a.file");
    ASSERT_FALSE(result) << words;
    EXPECT_NE(result.error().text().find(words), std::string::npos) << result.error().text();
    EXPECT_EQ(result.error().text().find("a.file"), 0u) << result.error().text();
}

std::string patched(std::string bytes, std::size_t at, std::initializer_list<int> with) {
    for (const int byte : with) bytes[at++] = char(byte);
    return bytes;
}

TEST(PetscBinary, RefusesWhatIsBrokenWithTheByte) {
    linalg::BlockMatrix A(linalg::makePattern(1, {}));
    A.diagonal(0) = Mat3::Identity();
    const std::string good = *petscMatrix(A);
    ASSERT_EQ(good.size(), 16u + 3 * 4 + 9 * 12);
    ASSERT_TRUE(readPetscMatrix(good, "a.file"));
    expectMessage(readPetscMatrix, "", "byte 0");
    expectMessage(readPetscMatrix, "%%MatrixMarket matrix", "no matrix of PETSc's");
    expectMessage(readPetscMatrix, petscVector(linalg::BlockVector(3)), "this is a vector");
    expectMessage(readPetscMatrix, good.substr(0, good.size() - 1), "do not make a file of 135 bytes");
    expectMessage(readPetscMatrix, good + "x", "do not make a file of 137 bytes");
    expectMessage(readPetscMatrix, std::string(4, '\0') + good, "64-bit indices");
    expectMessage(readPetscMatrix, patched(good, 12, {0xff, 0xff, 0xff, 0xff}), "dense");
    expectMessage(readPetscMatrix, patched(good, 4, {0x80}), "negative");
    expectMessage(readPetscMatrix, patched(good, 19, {2}), "9 entries are promised, and the rows have 8");
    expectMessage(readPetscMatrix, patched(good, 16, {0x7f}), "byte 16: row 0 has");
    expectMessage(readPetscMatrix, patched(good, 28, {0x7f}), "byte 28: column");
    expectMessage(readPetscMatrix, patched(good, 64, {0x7f, 0xf8}), "byte 64: the value in row 0, column 0 is nan");

    linalg::BlockVector x(2);
    const std::string vector = petscVector(x);
    ASSERT_TRUE(readPetscVector(vector, "a.file"));
    expectMessage(readPetscVector, good, "this is a matrix");
    expectMessage(readPetscVector, vector.substr(0, 20), "6 rows do not make a file of 20 bytes");
    expectMessage(readPetscVector, patched(vector, 8, {0x7f, 0xf0}), "byte 8: row 0 is inf");
}

/// An archive with some of its arrays in place of the good ones.
std::string npzWith(std::vector<std::pair<std::string_view, std::string>> others) {
    const std::vector<std::int32_t> starts{0, 1}, columns{0};
    const std::vector<std::int64_t> shape{3, 3};
    const std::vector<double> values{1, 0, 0, 0, 1, 0, 0, 0, 1};
    std::vector<std::pair<std::string_view, std::string>> members{
        {"indices.npy", records::npyText(columns)},        {"indptr.npy", records::npyText(starts)},
        {"format.npy", records::npyWord("bsr")},           {"shape.npy", records::npyText(shape)},
        {"data.npy", records::npyText(values, {1, 3, 3})},
    };
    for (auto& member : members)
        for (auto& other : others)
            if (member.first == other.first) member.second = other.second;
    std::erase_if(members, [](const auto& member) { return member.second.empty(); });
    return *records::zipText(members);
}

std::string whole32(std::vector<std::int32_t> values) { return records::npyText(values); }
std::string whole64(std::vector<std::int64_t> values) { return records::npyText(values); }

TEST(SparseNpz, RefusesWhatIsBrokenWithTheArray) {
    ASSERT_TRUE(readNpzMatrix(npzWith({}), "a.file"));
    const std::vector<double> nine(9, NAN), ones(2, 1.0);
    expectMessage(readNpzMatrix, "", "no zip archive");
    expectMessage(readNpzMatrix, npzWith({}).substr(0, 500), "no zip archive");
    expectMessage(readNpzMatrix, patched(npzWith({}), 234, {0x55}), "checksum");
    expectMessage(readNpzMatrix, npzWith({{"indptr.npy", ""}}), "indptr.npy: the archive has no such array");
    expectMessage(readNpzMatrix, npzWith({{"format.npy", records::npyWord("dia")}}),
                  "'dia' is not read (valid: bsr, csr");
    expectMessage(readNpzMatrix, npzWith({{"shape.npy", whole64({3})}}), "shape.npy: it has the shape (1,)");
    expectMessage(readNpzMatrix, npzWith({{"shape.npy", whole64({-3, 3})}}), "shape.npy: -3");
    expectMessage(readNpzMatrix, npzWith({{"shape.npy", whole64({4, 4})}}), "do not fill 4 x 4");
    expectMessage(readNpzMatrix, npzWith({{"indices.npy", whole32({1})}}), "indices.npy: entry (0, 3) lies outside");
    expectMessage(readNpzMatrix, npzWith({{"indices.npy", whole32({-1})}}), "indices.npy: -1");
    expectMessage(readNpzMatrix, npzWith({{"indices.npy", records::npyText(ones, {2})}}), "indices.npy");
    expectMessage(readNpzMatrix, npzWith({{"indptr.npy", whole32({0, 2})}}), "indptr.npy: it has to rise from 0 to 1");
    expectMessage(readNpzMatrix, npzWith({{"data.npy", records::npyText(nine, {1, 3, 3})}}),
                  "data.npy: value 0 is nan");
    expectMessage(readNpzMatrix, npzWith({{"data.npy", records::npyText(nine, {9})}}),
                  "data.npy: it has the shape (9,)");
    expectMessage(readNpzMatrix, npzWith({{"data.npy", "no array"}}), "data.npy: this is no file of NumPy's");
}

/// A header of a given text before some numbers.
std::string npyWith(const std::string& header, std::size_t bytes) {
    std::string out("\x93NUMPY\x01\x00", 8);
    out.push_back(char(header.size()));
    out.push_back('\0');
    return out + header + std::string(bytes, '\0');
}

TEST(SparseNpz, ReadsVectorsOfNumPy) {
    const auto rows = [](const std::string& header, std::size_t bytes) {
        const auto read = readNpyVector(npyWith(header, bytes), "a.file");
        EXPECT_TRUE(read) << header << read.error().text();
        return read ? read->rows : -1;
    };
    EXPECT_EQ(rows("{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }", 32), 4);
    EXPECT_EQ(rows("{\"shape\":(4,1),\"fortran_order\":True,\"descr\":\">f4\"}\n", 16), 4);
    EXPECT_EQ(rows("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }", 6), 6);
    EXPECT_EQ(rows("{'descr': '<i8', 'fortran_order': False, 'shape': (0,), }", 0), 0);

    const auto refused = [](const std::string& header, std::size_t bytes, std::string_view words) {
        expectMessage(readNpyVector, npyWith(header, bytes), words);
    };
    refused("{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }", 31, "31 bytes follow");
    refused("{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }", 33, "33 bytes follow");
    refused("{'descr': '<f8', 'fortran_order': False, 'shape': (9999999999, 9999999999), }", 8, "promises");
    refused("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }", 48, "Fortran");
    refused("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", 32, "(2, 2)");
    refused("{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }", 16, "'<c16'");
    refused("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", 8, "'|O'");
    refused("{'descr': '|S3', 'fortran_order': False, 'shape': (1,), }", 3, "no numbers");
    refused("{'descr': '<f8', 'shape': (1,), }", 8, "has to be such as");
    refused("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }", 8, "has to be such as");
    expectMessage(readNpyVector, std::string("\x93NUMPY\x01\x00\xff\xff{}", 12), "inside of its header");
    expectMessage(readNpyVector, std::string("\x93NUMPY\x09\x00\x02\x00{}", 12), "version 9");
}

TEST(Zip, GivesBackWhatItTook) {
    const std::vector<std::pair<std::string_view, std::string>> members{{"a", ""}, {"b/c", std::string(70000, 'x')}};
    const auto read = records::readZip(*records::zipText(members), "a.zip");
    ASSERT_TRUE(read) << read.error().text();
    ASSERT_EQ(read->size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_EQ((*read)[k].name, members[k].first);
        EXPECT_EQ((*read)[k].bytes, members[k].second);
    }
    EXPECT_FALSE(records::readZip(*records::zipText(members), "a.zip", 69999));
}

}  // namespace
}  // namespace clothlab::experiments
