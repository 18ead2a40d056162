export { FrameFile, frameDuration, framesDuration } from './frame-file.js';
export { createRecordingDecoder, type DecodedFrames, type RecordingDecoder } from './recording-decoder.js';
export { parseRecordingName, type RecordingName } from './recording-name.js';
export { shortPiece, shortPieces } from './short-pieces.js';
