import type { SpokenSegment } from '../../transcript/index.js';
import { type OpenRequest, speakerLabel } from '../../wire/index.js';
import { separableSample } from '../shared/index.js';

/** The default speaker of a track, which follows from its channel. */
export type TrackVoice = Pick<SpokenSegment, 'speaker' | 'speakerId' | 'isUser' | 'personId'>;

/** Sources that may send two channels as tagged mono frames: the wearer's microphone, and the other side. */
const taggedSources: readonly string[] = ['phone_call', 'desktop'];
/** First byte of a tagged frame, by the number of its track. */
const tags: readonly number[] = [0x01, 0x02];
/** Most tracks of a session. A core has that many streams for each slot. */
export const tracksPerSlot = tags.length;

/** Whether a stream may send tagged frames. Its first frames show whether it does. */
export const mayBeTagged = ({ format, source }: Pick<OpenRequest, 'format' | 'source'>): boolean =>
  format.channels === 2 && taggedSources.includes(source);

/** @param tag first byte of a tagged frame. @returns the number of its track, or -1. */
export const trackOfTag = (tag: number): number => tags.indexOf(tag);

/** The default speakers of a session's tracks, in the order of the tracks. */
export const voicesOf = (
  request: Pick<OpenRequest, 'format' | 'source' | 'separateSides'>,
): readonly TrackVoice[] => {
  const isCall = mayBeTagged(request);
  return isCall || separableSample(request) > 0 ? [voice(0, isCall), voice(1, false)] : [soleVoice()];
};

/** The default speaker of a stream with a single track. */
export const soleVoice = (): TrackVoice => voice(0, false);

const voice = (speakerId: number, isUser: boolean): TrackVoice => ({
  speaker: speakerLabel(speakerId),
  speakerId,
  isUser,
  personId: null,
});
