import type { OpenRequest } from '../../wire/index.js';
import { StreamPositions } from '../positions/index.js';
import { mayBeTagged, voicesOf } from './track-voices.js';

/**
 * Returns the positions of a stream on its device's clock; null if the client does not use positions. Also null if the
 * stream may have tagged frames, because the two sides have no common clock. Also null if the client transcribes its
 * own audio, because it confirms its own segments.
 * @param bounds returns the bound of each track; see `TrackPositions.complete`.
 * @param wallOf returns the wall clock (ms) of a sample of the first track; undefined before the first frame.
 */
export const positionsOf = (
  request: OpenRequest,
  bounds: () => readonly number[],
  wallOf: (sample: number) => number | undefined,
): StreamPositions | null => {
  const { streamClock: clock, confirms, clockAt: stated = 0, customStt } = request;
  if (!clock || !confirms || customStt || mayBeTagged(request)) return null;
  return new StreamPositions({ clock, stated, tracks: voicesOf(request).length, bounds, wallOf });
};
