export { createOggThread, type OggThread, type ReadOgg } from '../ogg-thread.js';
export { stageOgg } from '../stage-ogg.js';
