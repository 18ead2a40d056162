#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cochlea {

struct Products {
  float dot;
  /// Sum of the squares of the second vector.
  float power;
};

/// Dot product of two vectors and power of the second, in one pass over memory.
using ProductsKernel = Products (*)(const float* a, const float* b, std::size_t length);

/// @param isa as in `Kernels::isa`
/// @returns nullptr where this machine cannot run it
ProductsKernel productsNamed(const char* isa);

struct Neighbour {
  std::uint32_t row;
  /// -1..1
  float similarity;
};

/// Rows of a matrix most similar to a vector, by the cosine of the angle between them.
///
/// The arithmetic of a row does not depend on its position, so equal rows have exactly equal similarities, of
/// which the lower row comes first. A row of zeros has similarity 0. Rows with components that are not
/// finite, or whose squares are not finite, are left out; with such a query the result is empty.
/// @param query `dims` floats
/// @param matrix row-major, `rows` x `dims`
/// @param k most rows to return
/// @returns best first
std::vector<Neighbour> nearest(const float* query, const float* matrix, std::size_t rows, std::size_t dims,
                               std::size_t k, ProductsKernel products);

}  // namespace cochlea
