export { olderTransport } from '../older-requests.js';
export { eventStreamHeaders } from '../streams/tool-stream.js';
export { ToolStreams } from '../streams/tool-streams.js';
