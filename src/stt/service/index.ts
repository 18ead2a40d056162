/** The transcription service of a machine: queue, decoders, socket, clients. */
export { connectTranscription } from './connect.js';
export { startTranscriber, type Transcriber } from './engine-connection.js';
export { startTranscriptionService } from './server.js';
