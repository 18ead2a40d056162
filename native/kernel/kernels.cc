#include "kernel/kernels.h"

#include "kernel/fourier.h"

#include <cstring>
#include <initializer_list>

// Contraction is what makes a multiply and an add one instruction where the target has it. The pragma form of target
// selection, and not target_clones, because its resolvers run before a sanitizer's runtime is up.

namespace cochlea {
namespace {

namespace baseline {
#define COCHLEA_LANES 4
#define COCHLEA_ROWS 4
#if defined(__aarch64__)
#define COCHLEA_ISA_NAME "neon"
#else
#define COCHLEA_ISA_NAME "scalar"
#endif
#include "kernel/kernels.inc"
#undef COCHLEA_LANES
#undef COCHLEA_ROWS
#undef COCHLEA_ISA_NAME
}  // namespace baseline

#if defined(__x86_64__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
namespace avx2 {
#define COCHLEA_LANES 8
#define COCHLEA_ROWS 6
#define COCHLEA_ISA_NAME "avx2"
#include "kernel/kernels.inc"
#undef COCHLEA_LANES
#undef COCHLEA_ROWS
#undef COCHLEA_ISA_NAME
}  // namespace avx2
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,fma"))), apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,fma,prefer-vector-width=512")
#endif
namespace avx512 {
#define COCHLEA_LANES 16
#define COCHLEA_ROWS 8
#define COCHLEA_ISA_NAME "avx512"
#include "kernel/kernels.inc"
#undef COCHLEA_LANES
#undef COCHLEA_ROWS
#undef COCHLEA_ISA_NAME
}  // namespace avx512
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif

}  // namespace

const Kernels* kernelsNamed(const char* isa) {
#if defined(__x86_64__)
  if (std::strcmp(isa, avx512::table.isa) == 0) return __builtin_cpu_supports("avx512f") ? &avx512::table : nullptr;
  if (std::strcmp(isa, avx2::table.isa) == 0) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &avx2::table : nullptr;
  }
#endif
  return std::strcmp(isa, baseline::table.isa) == 0 ? &baseline::table : nullptr;
}

const Kernels& kernels() {
  static const Kernels* const chosen = [] {
    for (const char* isa : {"avx512", "avx2"}) {
      if (const Kernels* named = kernelsNamed(isa)) return named;
    }
    return &baseline::table;
  }();
  return *chosen;
}

}  // namespace cochlea
