#pragma once

#include <napi.h>

#include <memory>

#include "gate/gate.h"
#include "kernel/kernels.h"
#include "stream/budget.h"
#include "vad/weights.h"

namespace cochlea {

/// Gate options from their object of `GateOptions` in src/audio/interface/core.ts, ms to samples. A number
/// that is absent has its default.
GateOptions gateOptions(const Napi::Object& object);

/// A budget from its object of `AudioBudget` in src/audio/interface/core.ts; none where it is undefined.
BudgetOptions budgetOptions(const Napi::Value& value);

/// The instruction set of that name; the best one of this machine where `isa` is undefined.
/// @returns nullptr when this machine does not run it, with a JavaScript exception pending
const Kernels* kernelsOf(const Napi::Value& isa);

/// The detector's model packed for an instruction set, shared by the threads of this process and kept as long
/// as it runs.
/// @returns nullptr when `file` is not what `extract-weights.mjs` writes
std::shared_ptr<const SileroModel> sharedModel(const Napi::Uint8Array& file, const Kernels& kernels);

}  // namespace cochlea
