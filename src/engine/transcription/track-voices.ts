import type { SpokenSegment } from '../../transcript/index.js';
import { type OpenRequest, speakerLabel } from '../../wire/index.js';
import { separableSample } from '../shared/index.js';

/** The default speaker of a track, given by its channel. */
export type TrackVoice = Pick<SpokenSegment, 'speaker' | 'speakerId' | 'isUser' | 'personId'>;

/**
 * Sources that may send two channels as tagged mono frames. The channels are the microphone of the user, and the other
 * side.
 */
const taggedSources: readonly string[] = ['phone_call', 'desktop'];
/** First bytes of tagged frames, in the order of the tracks. */
const tags: readonly number[] = [0x01, 0x02];
/** Maximum number of tracks of a session. A core has this number of streams for each slot. */
export const tracksPerSlot = tags.length;

/** Whether a stream may send tagged frames. Only its first frames show whether it does. */
export const mayBeTagged = ({ format, source }: Pick<OpenRequest, 'format' | 'source'>): boolean =>
  format.channels === 2 && taggedSources.includes(source);

/** Returns the track number of a tag. @param tag first byte of a tagged frame. @returns -1 if the byte is not a tag. */
export const trackOfTag = (tag: number): number => tags.indexOf(tag);

/** Returns the default speakers of a session's tracks, in the order of the tracks. */
export const voicesOf = (
  request: Pick<OpenRequest, 'format' | 'source' | 'separateSides'>,
): readonly TrackVoice[] => {
  const isCall = mayBeTagged(request);
  return isCall || separableSample(request) > 0 ? [voice(0, isCall), voice(1, false)] : [soleVoice()];
};

/** Returns the default speaker of a stream with a single track. */
export const soleVoice = (): TrackVoice => voice(0, false);

const voice = (speakerId: number, isUser: boolean): TrackVoice => ({
  speaker: speakerLabel(speakerId),
  speakerId,
  isUser,
  personId: null,
});
