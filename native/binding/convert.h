#pragma once

#include <napi.h>

#include <memory>

#include "gate/gate.h"
#include "vad/weights.h"

namespace cochlea {

/// Gate options from their object of `GateOptions` in src/audio/core.ts, ms to samples.
GateOptions gateOptions(const Napi::Object& object);

/// Weights packed for the instruction set in use, shared by the threads of this process while any of them needs them.
/// @returns nullptr when `file` is not what `extract-weights.mjs` writes
std::shared_ptr<const SileroWeights> sharedWeights(const Napi::Uint8Array& file);

}  // namespace cochlea
