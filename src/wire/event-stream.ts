/**
 * Constants of the event streams that assistants keep open. The sidecar checks credential and session and opens a
 * stream; then the front keeps it open. Such a stream costs one connection of the engine and no resources of the
 * sidecar. Assistants with the older MCP transport use other streams, which also cost a connection of the sidecar.
 */

/**
 * Checks whether a GET request opens a stream of the older MCP transport, in which answers arrive as events. Such a
 * request accepts events and names no session. The sidecar itself keeps this stream open.
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
 * Response header with which the sidecar hands a stream over to the front. Its value is the percent-encoded uid. The
 * front removes the header, so clients never see it.
 */
export const holdHeader = 'x-cochlea-hold';

/** Event that clients ignore. The front sends it on a silent stream, so that proxies do not close the stream. */
export const eventComment = ': keep-alive\n\n';
