import type { Segment, StreamMessage, Suggestion } from './messages.js';

/**
 * What the messages of a stream say about its conversation. Values are never changed: each change makes a new value.
 */
export interface Transcript {
  /** Id of the conversation; null before the engine names it. */
  readonly conversation: string | null;
  /** Segments in the order of their start. A changed segment is a new object; the others stay the same objects. */
  readonly segments: readonly Segment[];
  /** Number of earlier segments that are no longer kept here. */
  readonly earlier: number;
  /** The latest guess about each speaker whose identity is not confirmed. */
  readonly suggestions: readonly Suggestion[];
}

/** The transcript before the first message. */
export const emptyTranscript: Transcript = { conversation: null, segments: [], earlier: 0, suggestions: [] };

/** Maximum number of segments that are kept here. The stored conversation has all segments. */
export const mostSegments = 5000;
/** Number of segments that are dropped at once. */
const droppedAtOnce = 500;

const isBefore = (a: Segment, b: Segment): boolean =>
  a.start < b.start || (a.start === b.start && a.id < b.id);

/** Returns the index of a segment, or -1. Searches from the end, because the last segments change most. */
const placeOf = (segments: readonly Segment[], id: string): number => {
  for (let at = segments.length - 1; at >= 0; at--) if (segments[at]!.id === id) return at;
  return -1;
};

const withSegments = (segments: readonly Segment[], changed: readonly Segment[]): readonly Segment[] => {
  const list = [...segments];
  for (const segment of changed) {
    const known = placeOf(list, segment.id);
    if (known >= 0) list.splice(known, 1);
    let at = list.length;
    while (at > 0 && isBefore(segment, list[at - 1]!)) at--;
    list.splice(at, 0, segment);
  }
  return list;
};

const withTranslations = (
  segments: readonly Segment[],
  translated: readonly Pick<Segment, 'id' | 'translations'>[],
): readonly Segment[] => {
  const list = [...segments];
  for (const { id, translations } of translated) {
    const at = placeOf(list, id);
    if (at >= 0) list[at] = { ...list[at]!, translations };
  }
  return list;
};

/** Returns whether a guess is still open: no segment of its speaker belongs to the user or to a person. */
const isOpen = ({ speaker_id }: Suggestion, segments: readonly Segment[]): boolean =>
  !segments.some(
    (segment) => segment.speaker_id === speaker_id && (segment.is_user || segment.person_id !== null),
  );

/**
 * Returns the transcript after a message. If the message changes nothing, returns the same value. When another
 * conversation begins, its transcript is empty at first.
 */
export const nextTranscript = (transcript: Transcript, message: StreamMessage): Transcript => {
  switch (message.type) {
    case 'segments': {
      const [first] = transcript.segments;
      // Changes of segments that are no longer kept here are ignored.
      const changed =
        transcript.earlier === 0 || first === undefined
          ? message.segments
          : message.segments.filter((segment) => !isBefore(segment, first));
      const all = withSegments(transcript.segments, changed);
      const dropped = all.length > mostSegments ? droppedAtOnce : 0;
      const segments = dropped === 0 ? all : all.slice(dropped);
      return {
        ...transcript,
        segments,
        earlier: transcript.earlier + dropped,
        suggestions: transcript.suggestions.filter((one) => isOpen(one, segments)),
      };
    }
    case 'segments_deleted': {
      const deleted = new Set(message.segment_ids);
      const segments = transcript.segments.filter(({ id }) => !deleted.has(id));
      return segments.length === transcript.segments.length ? transcript : { ...transcript, segments };
    }
    case 'conversation_session': {
      const { conversation_id: id, status } = message;
      if (status !== 'in_progress' || id === transcript.conversation) return transcript;
      return { ...emptyTranscript, conversation: id };
    }
    case 'speaker_label_suggestion': {
      const { speaker_id, segment_id, person_id, person_name } = message;
      const others = transcript.suggestions.filter((one) => one.speaker_id !== speaker_id);
      const suggestions = [...others, { speaker_id, segment_id, person_id, person_name }];
      return { ...transcript, suggestions };
    }
    case 'translation':
      return { ...transcript, segments: withTranslations(transcript.segments, message.segments) };
    default:
      return transcript;
  }
};
