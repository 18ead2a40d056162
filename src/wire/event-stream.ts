/**
 * Event streams that assistants hold open. The sidecar opens a stream after checking credential and session; the front holds it. A
 * stream costs one engine connection and no sidecar resources. Streams of the older transport use both.
 */

/**
 * Returns whether a GET opens a stream of the older transport, which carries answers. Such a request accepts events and names no
 * session. The sidecar holds this stream.
 * @param accept the header, as the client sent it.
 */
export const opensOlderStream = (accept: string | undefined, session: string | undefined): boolean =>
  !session && accept?.toLowerCase().includes('text/event-stream') === true;

/** Paths of the tool server: the main path, a shorter alias, and both with the trailing slash that people add. */
export const toolServerPaths = ['/v1/mcp/sse', '/v1/mcp', '/v1/mcp/sse/', '/v1/mcp/'] as const;

export type ToolServerPath = (typeof toolServerPaths)[number];

/** Paths where assistants open streams with GET. */
export const eventStreamPaths: ReadonlySet<string> = new Set(toolServerPaths);

/** Header that transfers a stream from the sidecar to the front. Its value is the user, percent-encoded. Clients never see it. */
export const holdHeader = 'x-cochlea-hold';

/** Keep-alive of a silent stream: an event that clients ignore. */
export const eventComment = ': keep-alive\n\n';
