/** Decodes recordings of devices on worker threads. Reads their file names and files of frames. */
export { FrameFile, framesDuration } from './frame-file.js';
export { createRecordingDecoder, type DecodedFrames, type RecordingDecoder } from './recording-decoder.js';
export { parseRecordingName } from './recording-name.js';
export { shortPiece, shortPieces } from './short-pieces.js';
