/**
 * Node flags for processes that the supervisor starts.
 *
 * Garbage is collected on the thread that created it. V8's helper threads would first wait for a processor, longer under load. They also
 * cost processor time for little shared work.
 */
const singleThreaded = '--single-threaded-gc';

/**
 * Objects of an engine's frames become garbage within a millisecond, so semi-spaces of 2 MiB suffice. V8's default of 16 MiB adds about
 * 30 MB to every engine, measured with a thousand streams that opened and closed.
 */
export const engineFlags: readonly string[] = ['--max-semi-space-size=2', singleThreaded];

/** The transcription service passes samples on. Their memory is outside V8's heap, so it needs little heap. */
export const transcriberFlags: readonly string[] = ['--max-semi-space-size=2', singleThreaded];

/**
 * Request code is spread over the program. Two flags save about a sixth of the sidecar's processor time for 10 MB of memory. One loads
 * Node's own code in pages of 2 MiB, if available. The other allows longer inlined JavaScript (V8 stops at 920 bytes of bytecode).
 */
const compactCode = ['--use-largepages=silent', '--max-inlined-bytecode-size-cumulative=3000'];

/**
 * After 8 s with little garbage, V8 collects old objects three times in a row to return memory. It also drops compiled code with object
 * shapes that no live object has, which is most code of an idle server. Afterwards tens of thousands of requests took up to 2.5 times as
 * long. Other old collections would keep such shapes for only two rounds.
 */
const keptCode = ['--no-memory-reducer', '--retain-maps-for-n-gc=100'];

/**
 * A request of the sidecar leaves about 40 KB of garbage. Statements outside `preparedText` create client objects that outlive young
 * collections. A collection takes time in proportion to these, and so to the semi-spaces; 4 MiB keep it short. About 30 MB live as long
 * as the process. V8 would trace them again after each growth by a quarter, so it may grow to 128 MB first.
 */
export const sidecarFlags: readonly string[] = [
  '--min-semi-space-size=4',
  '--max-semi-space-size=4',
  '--initial-old-space-size=128',
  ...compactCode,
  ...keptCode,
  singleThreaded,
];
