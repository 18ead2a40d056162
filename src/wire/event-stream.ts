/**
 * Constants of the event streams that assistants keep open. The sidecar checks credential and session and opens a
 * stream; then the front keeps it open. Such a stream costs one connection of the engine and no resources of the
 * sidecar. A stream of the older transport also costs a connection of the sidecar.
 */

/**
 * Checks whether a GET opens a stream of the older transport, in which answers arrive as events. Such a request accepts
 * events and names no session. The sidecar keeps this stream open.
 * @param accept value of the `Accept` header.
 */
export const opensOlderStream = (accept: string | undefined, session: string | undefined): boolean =>
  !session && accept?.toLowerCase().includes('text/event-stream') === true;

/** Paths of the tool server: the main path, a shorter alias, and both with the trailing slash that people add. */
export const toolServerPaths = ['/v1/mcp/sse', '/v1/mcp', '/v1/mcp/sse/', '/v1/mcp/'] as const;

export type ToolServerPath = (typeof toolServerPaths)[number];

/** Paths where assistants open streams with GET. */
export const eventStreamPaths: ReadonlySet<string> = new Set(toolServerPaths);

/**
 * Response header with which the sidecar hands a stream over to the front. Its value is the percent-encoded uid. The
 * front removes the header, so clients never see it.
 */
export const holdHeader = 'x-cochlea-hold';

/** Keep-alive of a silent stream: an event that clients ignore. */
export const eventComment = ': keep-alive\n\n';
