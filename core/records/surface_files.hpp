#pragma once

#include <memory>
#include <string>

#include "records/positions_file.hpp"

/// Positions for programs that draw: the surface of the model, frame after frame. It has ClothModel::triangles,
/// counter-clockwise as they are there, in all frames: torn cloth keeps them, since a point cache has one mesh for all
/// frames, and a series of meshes can be compared point by point (cloth::wholeTriangles is for pictures). A solid is
/// written as its skin: particles in no triangle are left out, as programs do when they read a mesh, and the others
/// keep their order. Frame k is the k-th that was added, whatever its step.
namespace clothlab::records {

/// FILE.pc2, a point cache that Blender reads (modifier Mesh Cache), and the mesh that belongs to it, FILE.obj:
/// points and triangles of the first frame. Little endian:
///
///   bytes   0  "POINTCACHE2" and a 0
///          12  int32    version, 1
///          16  int32    points
///          20  float32  start (frames), 0
///          24  float32  sampling (frames), 1
///          28  int32    samples
///          32  float32  samples x points x 3, m
Expected<std::unique_ptr<PositionsFile>> createPointCache(const std::string& path, const cloth::ClothModel& model,
                                                          const InputFiles& inputs);

/// "cloth.pc2" gives "cloth.obj".
std::string pointCacheMesh(const std::string& path);

/// One mesh per frame, in files numberedObj(path, 0), numberedObj(path, 1) ..., each complete once it has its name.
/// Numbers read back to the same bits; a comment at the start has step and time.
Expected<std::unique_ptr<PositionsFile>> createNumberedObjs(const std::string& path, const cloth::ClothModel& model,
                                                            const InputFiles& inputs);
/// "cloth.obj" and 7 give "cloth.0007.obj".
std::string numberedObj(const std::string& path, std::int64_t frame);

}  // namespace clothlab::records
