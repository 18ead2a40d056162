#pragma once

#include <napi.h>

namespace cochlea {

/// (target: Uint8Array, offset: number, frame: ArrayBuffer): void. Copies the whole frame into `target` from
/// `offset` on; a frame that does not fit is not copied. With it the listener needs no typed array for every
/// frame.
void copyFrame(const Napi::CallbackInfo& info);

}  // namespace cochlea
