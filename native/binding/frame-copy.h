#pragma once

#include <napi.h>

namespace cochlea {

/// (target: Uint8Array, offset: number, frame: ArrayBuffer): void. Copies the whole frame into `target` at
/// `offset`. A frame that does not fit is not copied. It saves the listener a typed array for every frame.
void copyFrame(const Napi::CallbackInfo& info);

}  // namespace cochlea
