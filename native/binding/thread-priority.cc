#include "binding/thread-priority.h"

#include <cstdint>

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace cochlea {
namespace {

#ifdef __linux__
/// The fields of the first version of the kernel's `struct sched_attr`. Older C libraries do not declare this
/// struct. See sched_setattr(2).
struct SchedulingAttributes {
  std::uint32_t size = sizeof(SchedulingAttributes);
  std::uint32_t policy = 0;  // SCHED_OTHER
  std::uint64_t flags = 0;
  std::int32_t niceness = 0;
  std::uint32_t realTimePriority = 0;
  /// Time slice in ns for SCHED_OTHER. Linux before 6.12 ignores it.
  std::uint64_t runtime = 0;
  std::uint64_t deadline = 0;
  std::uint64_t period = 0;
};
static_assert(sizeof(SchedulingAttributes) == 48);
#endif

}  // namespace

Napi::Value setThreadNiceness(const Napi::CallbackInfo& info) {
  bool set = false;
#ifdef __linux__
  SchedulingAttributes attributes;
  attributes.niceness = info[0].As<Napi::Number>().Int32Value();
  attributes.runtime = static_cast<std::uint64_t>(info[1].As<Napi::Number>().Uint32Value()) * 1000;
  // Process id 0 means the calling thread.
  set = syscall(SYS_sched_setattr, 0, &attributes, 0) == 0;
#endif
  return Napi::Boolean::New(info.Env(), set);
}

}  // namespace cochlea
