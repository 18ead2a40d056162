/**
 * Constants of the event streams that assistants keep open. The sidecar checks credential and session of a request for
 * a stream. Then the front keeps the stream open, so the stream uses one connection of the engine and no resources of
 * the sidecar. Streams of the older MCP transport are different: each also uses a connection of the sidecar.
 */

/**
 * Checks whether a GET request opens a stream of the older MCP transport, in which answers arrive as events. Such a
 * request accepts events and contains no session id. The sidecar itself keeps this stream open.
 * @param accept value of the `Accept` header.
 */
export const opensOlderStream = (accept: string | undefined, session: string | undefined): boolean =>
  !session && accept?.toLowerCase().includes('text/event-stream') === true;

/** Paths of the tool server: the main path, a shorter alias, and both with the trailing slash that some users add. */
export const toolServerPaths = ['/v1/mcp/sse', '/v1/mcp', '/v1/mcp/sse/', '/v1/mcp/'] as const;

export type ToolServerPath = (typeof toolServerPaths)[number];

/** Paths where assistants open streams with GET. */
export const eventStreamPaths: ReadonlySet<string> = new Set(toolServerPaths);

/**
 * Response header with which the sidecar tells the front to keep a stream open. Its value is the percent-encoded uid.
 * The front removes the header, so clients never see it.
 */
export const holdHeader = 'x-cochlea-hold';

/**
 * Comment of an event stream, which clients ignore. The front sends it on a stream without events, so that proxies do
 * not close the stream.
 */
export const eventComment = ': keep-alive\n\n';
