#pragma once

#include <napi.h>

#include <memory>

#include "gate/gate.h"
#include "kernel/kernels.h"
#include "stream/budget.h"
#include "vad/weights.h"

namespace cochlea {

/// Converts an object of `GateOptions` in src/audio/interface/core.ts, ms to samples. Absent numbers get
/// their defaults.
GateOptions gateOptions(const Napi::Object& object);

/// Converts an object of `AudioBudget` in src/audio/interface/core.ts. Undefined means no budget.
BudgetOptions budgetOptions(const Napi::Value& value);

/// The kernels of the named instruction set, or of the best one of this machine if `isa` is undefined.
/// @returns nullptr, with a JavaScript exception pending, if this machine does not support it
const Kernels* kernelsOf(const Napi::Value& isa);

/// The detector's model, packed for an instruction set. The threads of this process share it, and it is kept
/// until the process ends.
/// @returns nullptr if `file` does not have the size of a file of `extract-weights.mjs`
std::shared_ptr<const SileroModel> sharedModel(const Napi::Uint8Array& file, const Kernels& kernels);

}  // namespace cochlea
