// Generates the load of a fleet of wearables. Thousands of WebSockets send each packet at its due time.
// options.cc describes the command line, fleet.h the input and output.
#include <sched.h>
#include <sys/resource.h>

#include <cstdio>
#include <exception>
#include <stdexcept>

#include "fleet.h"

int main(int count, char** words) {
  try {
    const cochlea::Options options = cochlea::parseOptions(count, words);
    if (options.cpu >= 0) {
      cpu_set_t cores;
      CPU_ZERO(&cores);
      CPU_SET(options.cpu, &cores);
      if (sched_setaffinity(0, sizeof cores, &cores) != 0)
        throw std::runtime_error("--cpu names a core that is not there");
    }
    // If the system refuses the priority, the generator continues. The measured lateness then shows the
    // effect.
    if (options.nice != 0) (void)setpriority(PRIO_PROCESS, 0, options.nice);
    cochlea::Fleet fleet(options);
    return fleet.run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "generator: %s\n", error.what());
    return 2;
  }
}
