#pragma once

#include <napi.h>

namespace cochlea {

/// (niceness: number, sliceMicroseconds: number): boolean. Sets the niceness of the calling thread, and the
/// time for which it asks to run at a time: of two threads that wake at once, the one that asks for less runs
/// first. False where it may not.
Napi::Value setThreadNiceness(const Napi::CallbackInfo& info);

}  // namespace cochlea
