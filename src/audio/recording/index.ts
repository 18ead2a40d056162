/** Decodes recordings of devices in a worker: file names, files of frames. */
export { FrameFile, framesDuration } from './frame-file.js';
export { createRecordingDecoder, type DecodedFrames, type RecordingDecoder } from './recording-decoder.js';
export { parseRecordingName } from './recording-name.js';
export { shortPiece, shortPieces } from './short-pieces.js';
