import { visibleLine } from '../cli/output/plain-text.js';
import type { LiveSegment } from '../wire/segment.js';
import type { ServerEvent } from './wearable/index.js';

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
 * Prints a live transcript. When a segment arrives again with more text, only the added text is printed, so that every word
 * appears once.
 */
export class SegmentPrinter {
  readonly #print: (line: string) => void;
  readonly #shown = new Map<string, { text: string; end: number }>();

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  segments(segments: readonly LiveSegment[]): void {
    for (const segment of segments) {
      const before = this.#shown.get(segment.id);
      this.#shown.set(segment.id, { text: segment.text, end: segment.end });
      if (before?.text === segment.text) continue;
      const grown = before && segment.text.startsWith(before.text);
      this.#print(
        segmentLine(
          grown
            ? { ...segment, start: before.end, text: segment.text.slice(before.text.length).trim() }
            : segment,
        ),
      );
    }
  }

  event({ type, status, status_text }: ServerEvent): void {
    if (type === 'service_status')
      this.#print(visibleLine(`-- ${status}${status_text ? `: ${status_text}` : ''}`));
    else if (type !== 'segments_deleted') this.#print(visibleLine(`-- ${type}`));
  }
}
