/**
 * Streams of events that assistants hold open are opened by the sidecar, which checks credential and session, and held by the
 * front: a stream takes one connection of the engine and nothing of the sidecar.
 */

/** Where assistants open streams, with GET. */
export const eventStreamPaths: ReadonlySet<string> = new Set(['/v1/mcp/sse', '/v1/mcp']);

/** Header by which the sidecar gives a stream to the front. Its value is the user, percent-encoded. No client ever sees it. */
export const holdHeader = 'x-cochlea-hold';

/** What is sent on a silent stream: an event that clients ignore. */
export const eventComment = ': keep-alive\n\n';
