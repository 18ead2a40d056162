export { olderTransport } from './requests.js';
export { eventStreamHeaders } from './tool-stream.js';
export { ToolStreams } from './tool-streams.js';
