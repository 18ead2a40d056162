#pragma once

#include <cstdint>

namespace cochlea {

/// Raises the number of descriptors this process may open to what the system allows. @returns that number.
std::uint64_t raiseDescriptors();

}  // namespace cochlea
