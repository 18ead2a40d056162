/** Decodes recordings of devices in worker threads, and reads their file names and frames. */
export { FrameFile, framesDuration } from './frame-file.js';
export { longPieces } from './long-pieces.js';
export { createRecordingDecoder, type DecodedFrames, type RecordingDecoder } from './recording-decoder.js';
export { parseRecordingName } from './recording-name.js';
export { shortPiece, shortPieces } from './short-pieces.js';
