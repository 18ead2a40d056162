/**
 * Streams of events that assistants hold open are opened by the sidecar, which checks credential and session, and held by the
 * front: a stream takes one connection of the engine and nothing of the sidecar. Those of the older transport are held by both.
 */

/**
 * Whether a GET opens a stream of the older transport, on which messages are answered: it accepts events and names no session. Such a
 * stream is kept by the sidecar.
 * @param accept the header, as the client sent it.
 */
export const opensOlderStream = (accept: string | undefined, session: string | undefined): boolean =>
  !session && accept?.toLowerCase().includes('text/event-stream') === true;

/** Paths of the tool server: its own, a shorter one for the same, and both with the slash that people put at the end of addresses. */
export const toolServerPaths = ['/v1/mcp/sse', '/v1/mcp', '/v1/mcp/sse/', '/v1/mcp/'] as const;

export type ToolServerPath = (typeof toolServerPaths)[number];

/** Where assistants open streams, with GET. */
export const eventStreamPaths: ReadonlySet<string> = new Set(toolServerPaths);

/** Header by which the sidecar gives a stream to the front. Its value is the user, percent-encoded. No client ever sees it. */
export const holdHeader = 'x-cochlea-hold';

/** What is sent on a silent stream: an event that clients ignore. */
export const eventComment = ': keep-alive\n\n';
