import { sampleRate } from '../shared/index.js';

/** Number of samples in a packet of retained audio: 20 ms. */
export const packetSamples = sampleRate / 50;
/** Number of bytes in a packet. The size is constant, so the number of samples determines the length of a file. */
export const packetBytes = 80;
/** Delay of libopus at 16 kHz, in samples: 2.5 ms of look-ahead and 4 ms of its resampler. */
export const lookAhead = 104;

/** Returns the number of packets for this number of samples. */
export const packetsOf = (samples: number): number => Math.ceil((samples + lookAhead) / packetSamples);
