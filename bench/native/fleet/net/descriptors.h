#pragma once

#include <cstdint>

namespace cochlea {

/// Raises the limit of open descriptors to the system's maximum. @returns the new limit.
std::uint64_t raiseDescriptors();

}  // namespace cochlea
