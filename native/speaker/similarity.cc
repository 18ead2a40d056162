#include "speaker/similarity.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernel/kernels.h"

namespace cochlea {
namespace {

#define COCHLEA_KERNEL_FILE "speaker/similarity.inc"
#include "kernel/per-isa.inc"
#undef COCHLEA_KERNEL_FILE

bool better(const Neighbour& a, const Neighbour& b) {
  return a.similarity > b.similarity || (a.similarity == b.similarity && a.row < b.row);
}

}  // namespace

ProductsKernel productsNamed(const char* isa) {
  if (kernelsNamed(isa) == nullptr) return nullptr;
#if defined(__x86_64__)
  if (std::strcmp(isa, "avx512") == 0) return avx512::products;
  if (std::strcmp(isa, "avx2") == 0) return avx2::products;
#endif
  return baseline::products;
}

std::vector<Neighbour> nearest(const float* query, const float* matrix, std::size_t rows, std::size_t dims,
                               std::size_t k, ProductsKernel products) {
  // A heap of the best rows found so far. Its front is the least similar of them, so most rows need only one
  // comparison with it.
  std::vector<Neighbour> kept;
  kept.reserve(std::min(k, rows));
  const double queryPower = products(query, query, dims).power;
  if (k == 0 || !std::isfinite(queryPower)) return kept;
  for (std::size_t row = 0; row < rows; ++row) {
    const Products sums = products(query, matrix + row * dims, dims);
    if (!std::isfinite(sums.dot) || !std::isfinite(sums.power)) continue;
    const double scale = std::sqrt(queryPower * sums.power);
    const double cosine = scale > 0 ? sums.dot / scale : 0;
    const Neighbour candidate{static_cast<std::uint32_t>(row),
                              static_cast<float>(std::clamp(cosine, -1.0, 1.0))};
    if (kept.size() < k) {
      kept.push_back(candidate);
      std::push_heap(kept.begin(), kept.end(), better);
    } else if (better(candidate, kept.front())) {
      std::pop_heap(kept.begin(), kept.end(), better);
      kept.back() = candidate;
      std::push_heap(kept.begin(), kept.end(), better);
    }
  }
  std::sort_heap(kept.begin(), kept.end(), better);
  return kept;
}

}  // namespace cochlea
