#include "binding/frame-copy.h"

#include <cstring>

namespace cochlea {

void copyFrame(const Napi::CallbackInfo& info) {
  auto target = info[0].As<Napi::Uint8Array>();
  const std::size_t offset = info[1].As<Napi::Number>().Uint32Value();
  auto frame = info[2].As<Napi::ArrayBuffer>();
  const std::size_t capacity = target.ByteLength();
  const std::size_t bytes = frame.ByteLength();
  // The address of an empty frame may be null, so nothing is copied.
  if (bytes == 0 || offset > capacity || bytes > capacity - offset) return;
  std::memcpy(target.Data() + offset, frame.Data(), bytes);
}

}  // namespace cochlea
