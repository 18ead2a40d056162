import { sumOf } from '../../../bench/fleet/sent.js';
import type { Slice } from '../../../bench/fleet/session.js';

/** Returns a slice of five seconds of ten streams. All windows were decided within one bucket, which ends at `p99` ms. */
export const slice = (p99: number, change: Partial<Slice> = {}): Slice => ({
  seconds: 5,
  wanted: 10,
  open: 10,
  sent: sumOf([]),
  told: true,
  framesDecoded: 2500,
  framesInvalid: 0,
  vadWindows: 1500,
  dropped: 0,
  frameToVad: { bounds: [p99 / 1.0001, p99, Number.POSITIVE_INFINITY], counts: [0, 1500, 0] },
  speechBufferBytes: 0,
  ...change,
});
