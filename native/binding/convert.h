#pragma once

#include <napi.h>

#include <memory>

#include "gate/gate.h"
#include "kernel/kernels.h"
#include "stream/budget.h"
#include "vad/weights.h"

namespace cochlea {

/// Converts an object of `GateOptions` in src/audio/interface/core.ts. Times are converted from ms to
/// samples. Absent numbers get their defaults.
GateOptions gateOptions(const Napi::Object& object);

/// Converts an object of `AudioBudget` in src/audio/interface/core.ts. Undefined means no budget.
BudgetOptions budgetOptions(const Napi::Value& value);

/// Returns the kernels of the named instruction set. If `isa` is undefined, it returns the kernels of the
/// best instruction set that this machine supports.
/// @returns nullptr, with a JavaScript exception pending, if this machine does not support the named set
const Kernels* kernelsOf(const Napi::Value& isa);

/// Returns the detector's model, packed for an instruction set. All threads of this process share the model,
/// and it is never freed.
/// @returns nullptr if `file` does not have the size of the file that `extract-weights.mjs` writes
std::shared_ptr<const SileroModel> sharedModel(const Napi::Uint8Array& file, const Kernels& kernels);

}  // namespace cochlea
