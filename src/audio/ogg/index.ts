/** Reads and writes Ogg pages and the Opus streams in them. */
export { type OggLink, OggLinks } from './links.js';
export { packetSamples } from './opus-packet.js';
export { OpusReader } from './opus-reader.js';
export { readOggOpus } from './read.js';
export { writeOggOpus } from './write.js';
