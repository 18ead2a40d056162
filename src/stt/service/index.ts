/**
 * The transcription service of a machine: its queue, decoders and socket, and its clients in engines and sidecar.
 */
export { connectTranscription } from './connect.js';
export { startTranscriber, type Transcriber } from './engine-connection.js';
export { startTranscriptionService } from './server.js';
