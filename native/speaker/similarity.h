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

/// Computes the dot product of two vectors and the power of the second vector, in one pass over memory.
using ProductsKernel = Products (*)(const float* a, const float* b, std::size_t length);

/// Returns the kernel for an instruction set. @param isa a name as in `Kernels::isa`
/// @returns nullptr if this machine does not support the set
ProductsKernel productsNamed(const char* isa);

struct Neighbour {
  std::uint32_t row;
  /// Cosine similarity, from -1 to 1.
  float similarity;
};

/// Finds the rows of a matrix that are most similar to a vector, by cosine similarity.
///
/// The arithmetic of a row does not depend on its position, so equal rows have exactly equal similarities.
/// Among rows with equal similarity, the row with the lower index comes first. A row of zeros has similarity
/// 0. Rows with components or squares that are not finite are omitted. If the query has such components, the
/// result is empty.
/// @param query `dims` floats
/// @param matrix row-major, `rows` x `dims`
/// @param k maximum number of rows to return
/// @returns the rows, most similar first
std::vector<Neighbour> nearest(const float* query, const float* matrix, std::size_t rows, std::size_t dims,
                               std::size_t k, ProductsKernel products);

}  // namespace cochlea
