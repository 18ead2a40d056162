#pragma once

#include <napi.h>

namespace cochlea {

/// (niceness: number, sliceMicroseconds: number): boolean. Sets niceness and time slice of the calling
/// thread. If two threads wake at the same time, the thread with the shorter slice runs first. Returns false
/// if the process lacks the permission.
Napi::Value setThreadNiceness(const Napi::CallbackInfo& info);

}  // namespace cochlea
