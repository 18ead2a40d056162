#include "kernel/kernels.h"

#include "kernel/fourier.h"

#include <cstring>
#include <initializer_list>

// Allows the compiler to contract a multiplication and an addition into one instruction, if the target has
// one.

namespace cochlea {
namespace {

#define COCHLEA_KERNEL_FILE "kernel/kernels.inc"
#include "kernel/per-isa.inc"
#undef COCHLEA_KERNEL_FILE

}  // namespace

const Kernels* kernelsNamed(const char* isa) {
#if defined(__x86_64__)
  if (std::strcmp(isa, avx512::table.isa) == 0) {
    return __builtin_cpu_supports("avx512f") ? &avx512::table : nullptr;
  }
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
