export { FrameFile, frameDuration } from './frame-file.js';
export { createRecordingDecoder, type RecordingDecoder } from './recording-decoder.js';
export { parseRecordingName, type RecordingName } from './recording-name.js';
