import { sampleRate } from '../shared/index.js';

/** Samples of a packet of retained audio: 20 ms. */
export const packetSamples = sampleRate / 50;
/** Bytes of a packet. The size is constant, so the number of samples determines the length of a file. */
export const packetBytes = 80;
/** Delay of libopus at 16 kHz, in samples: 2.5 ms of look-ahead and 4 ms of its resampler. */
export const lookAhead = 104;

/** Number of packets for so many samples. */
export const packetsOf = (samples: number): number => Math.ceil((samples + lookAhead) / packetSamples);
