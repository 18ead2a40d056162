import type { SpokenSegment } from '../../transcript/index.js';
import { type OpenRequest, speakerLabel } from '../../wire/index.js';
import { separableSample } from '../shared/index.js';

/** Whose words a track carries, as far as the track itself tells. */
export type TrackVoice = Pick<SpokenSegment, 'speaker' | 'speakerId' | 'isUser' | 'personId'>;

/** Sources whose two channels may come as tagged mono frames: the wearer's microphone, and what the other side says. */
const taggedSources: readonly string[] = ['phone_call', 'desktop'];
/** First byte of a tagged frame, by the number of its track. */
const tags: readonly number[] = [0x01, 0x02];
/** Tracks of a session at most; a core holds that many streams for each slot. */
export const tracksPerSlot = tags.length;

/** Whether a stream may be of tagged frames. Whether it is, its first frames tell. */
export const mayBeTagged = ({ format, source }: Pick<OpenRequest, 'format' | 'source'>): boolean =>
  format.channels === 2 && taggedSources.includes(source);

/** @returns the number of the track that the first byte of a tagged frame names, or -1. */
export const trackOfTag = (tag: number): number => tags.indexOf(tag);

/** The voices of a session's tracks, in their order. */
export const voicesOf = (
  request: Pick<OpenRequest, 'format' | 'source' | 'separateSides'>,
): readonly TrackVoice[] => {
  const isCall = mayBeTagged(request);
  return isCall || separableSample(request) > 0 ? [voice(0, isCall), voice(1, false)] : [soleVoice()];
};

/** The voice of a stream that has only one track. */
export const soleVoice = (): TrackVoice => voice(0, false);

const voice = (speakerId: number, isUser: boolean): TrackVoice => ({
  speaker: speakerLabel(speakerId),
  speakerId,
  isUser,
  personId: null,
});
