import { sampleRate } from '../shared/index.js';

/** Samples of a packet of retained audio: 20 ms. */
export const packetSamples = sampleRate / 50;
/** Bytes of a packet. Its size does not vary, so that the number of samples tells how long a file is. */
export const packetBytes = 80;
/** By how many samples libopus delays at 16 kHz: 2.5 ms of look-ahead and 4 ms of its resampler. */
export const lookAhead = 104;

/** How many packets hold so many samples. */
export const packetsOf = (samples: number): number => Math.ceil((samples + lookAhead) / packetSamples);
