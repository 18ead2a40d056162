/**
 * Node flags for processes that the supervisor starts.
 *
 * The flag makes each thread collect its garbage itself. Without the flag, each collection waits until V8's helper
 * threads get a processor, which takes longer under load. The helpers also cost processor time, although collections
 * have little work to share.
 */
const singleThreaded = '--single-threaded-gc';

/**
 * Objects of an engine's frames become garbage within a millisecond, so semi-spaces of 2 MiB suffice. V8's default of
 * 16 MiB added about 30 MB to every engine, measured with a thousand streams that opened and closed.
 */
export const engineFlags: readonly string[] = ['--max-semi-space-size=2', singleThreaded];

/**
 * The transcription service only forwards samples, and their memory is outside V8's heap. The service therefore needs
 * little heap.
 */
export const transcriberFlags: readonly string[] = ['--max-semi-space-size=2', singleThreaded];

/**
 * Two flags save about a sixth of the sidecar's processor time and cost 10 MB of memory. The first loads Node's own
 * code in pages of 2 MiB, if available. The second allows longer inlined JavaScript, because the code of a request is
 * spread over many functions (V8 stops at 920 bytes of bytecode).
 */
const compactCode = ['--use-largepages=silent', '--max-inlined-bytecode-size-cumulative=3000'];

/**
 * After 8 s with little garbage, V8 collects old objects three times in a row to return memory. V8 then also drops
 * compiled code for object shapes without live objects. This is most of the compiled code of an idle server. Afterwards
 * tens of thousands of requests took up to 2.5 times as long. The first flag prevents these collections. The second
 * flag keeps such code for 100 collections of old objects instead of two.
 */
const keptCode = ['--no-memory-reducer', '--retain-maps-for-n-gc=100'];

/**
 * A request of the sidecar leaves about 40 KB of garbage. Statements outside `preparedText` create client objects that
 * outlive young collections. The more such objects fit into the semi-spaces, the longer a collection takes. With
 * semi-spaces of 4 MiB, collections are short. About 30 MB of objects live as long as the process. V8 would trace them
 * again after each growth by a quarter, so the heap may grow to 128 MB first.
 */
export const sidecarFlags: readonly string[] = [
  '--min-semi-space-size=4',
  '--max-semi-space-size=4',
  '--initial-old-space-size=128',
  ...compactCode,
  ...keptCode,
  singleThreaded,
];
