/**
 * Flags of Node for the processes that the supervisor starts.
 *
 * What is collected by one thread is collected by the thread that made it. V8's helper threads would have to get a processor first,
 * for which it waits the longer the more others ask for one, and they take processor time to share little work.
 */
const singleThreaded = '--single-threaded-gc';

/**
 * Objects of an engine's frames become garbage within a millisecond, so a young generation with semi-spaces of 2 MiB is
 * enough. V8's default of 16 MiB adds about 30 MB to every engine (measured with a thousand streams that opened and closed).
 */
export const engineFlags: readonly string[] = ['--max-semi-space-size=2', singleThreaded];

/** The transcription service passes samples on, whose memory is outside V8's heap; it needs little of that. */
export const transcriberFlags: readonly string[] = ['--max-semi-space-size=2', singleThreaded];

/**
 * Code of a request lies all over the program: Node's own in pages of 2 MiB, where the system has them, and more of the JavaScript in
 * one piece (V8 stops at 920 bytes of bytecode) take about a sixth off the sidecar's processor time, for 10 MB of memory.
 */
const compactCode = ['--use-largepages=silent', '--max-inlined-bytecode-size-cumulative=3000'];

/**
 * V8 collects three times in a row what is old in a process that has made little garbage for 8 s, to give memory back, and drops the
 * compiled code whose object shapes no live object has at that moment: of a server that waits, most of it. Afterwards requests took up
 * to 2.5 times as long, for tens of thousands of them. Other old collections would keep such shapes for two rounds only.
 */
const keptCode = ['--no-memory-reducer', '--retain-maps-for-n-gc=100'];

/**
 * A request of the sidecar leaves about 40 KB of garbage, of which what the PostgreSQL client makes for statements outside `preparedText` outlives
 * young collections. The time of one is in proportion to that, and so to the semi-spaces: with 4 MiB it is short where many such
 * statements run. About 30 MB live as long as the process; V8 would trace them
 * again each time they have grown by a quarter, so it lets them grow to 128 MB first.
 */
export const sidecarFlags: readonly string[] = [
  '--min-semi-space-size=4',
  '--max-semi-space-size=4',
  '--initial-old-space-size=128',
  ...compactCode,
  ...keptCode,
  singleThreaded,
];
