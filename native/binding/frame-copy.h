#pragma once

#include <napi.h>

namespace cochlea {

/// (target: Uint8Array, offset: number, frame: ArrayBuffer): void. Copies a complete frame into `target` at
/// `offset`. A frame that does not fit is not copied. With this function, the listener need not create a
/// typed array for every frame.
void copyFrame(const Napi::CallbackInfo& info);

}  // namespace cochlea
