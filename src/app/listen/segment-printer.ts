import { visibleLine } from '../../cli/output/index.js';
import type { LiveSegment } from '../../wire/index.js';
import type { ServerEvent } from '../wearable/index.js';

const clock = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60);
  return `${String(minutes).padStart(2, '0')}:${(seconds - minutes * 60).toFixed(1).padStart(4, '0')}`;
};

/** Formats a segment as one line: time within the conversation, speaker, text. */
export const segmentLine = ({
  start,
  end,
  speaker,
  text,
}: Pick<LiveSegment, 'start' | 'end' | 'speaker' | 'text'>): string =>
  `${clock(start)}-${clock(end)}  ${visibleLine(speaker)}  ${visibleLine(text)}`;

/**
 * Prints a live transcript. If a segment grows, only its added text is printed, so every word appears once. A speaker's
 * name is printed when it becomes known.
 */
export class SegmentPrinter {
  readonly #shown = new Map<string, { text: string; end: number }>();
  readonly #known = new Map<string, string>();

  constructor(private readonly print: (line: string) => void) {}

  segments(segments: readonly LiveSegment[]): void {
    for (const segment of segments) {
      this.#identity(segment);
      const before = this.#shown.get(segment.id);
      this.#shown.set(segment.id, { text: segment.text, end: segment.end });
      if (before?.text === segment.text) continue;
      const grown = before && segment.text.startsWith(before.text);
      this.print(
        segmentLine(
          grown
            ? { ...segment, start: before.end, text: segment.text.slice(before.text.length).trim() }
            : segment,
        ),
      );
    }
  }

  #identity({ speaker, is_user, person_id }: LiveSegment): void {
    const who = is_user ? 'the user' : person_id ? `the person ${person_id}` : undefined;
    if (who === undefined || this.#known.get(speaker) === who) return;
    this.#known.set(speaker, who);
    this.print(visibleLine(`-- ${speaker} is ${who}`));
  }

  event({ type, status, status_text, reason, speaker_id, person_name }: ServerEvent): void {
    const why = status_text ?? reason;
    if (type === 'service_status') this.print(visibleLine(`-- ${status}${why ? `: ${why}` : ''}`));
    else if (type === 'speaker_label_suggestion')
      this.print(visibleLine(`-- speaker ${speaker_id} may be ${person_name}`));
    else if (type !== 'segments_deleted') this.print(visibleLine(`-- ${type}`));
  }
}
