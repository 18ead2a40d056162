/**
 * Formats of the files into which a conversation can be exported. A `json` file contains the conversation as the API
 * returns it.
 */
export const exportFormats = ['txt', 'md', 'srt', 'vtt', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The formats that this service writes from segments. */
export type TextFormat = Exclude<ExportFormat, 'json'>;

/** Media type of each format. */
export const exportTypes = {
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json; charset=utf-8',
} as const satisfies Readonly<Record<ExportFormat, string>>;

/** Data about a conversation that an exported file contains before the transcript. */
export interface ExportedConversation {
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly structured: {
    readonly title: string;
    readonly overview: string;
    readonly action_items: readonly { readonly description: string; readonly completed: boolean }[];
  };
}

/** A segment of an exported transcript. Times are seconds from the start of the conversation. */
export interface ExportedSegment {
  readonly text: string;
  readonly speaker_id: number;
  readonly speaker_name: string;
  readonly start: number;
  readonly end: number;
}

/** Makes the text of one file. The caller first calls `head`, and then `segment` for each segment in order. */
export interface TranscriptWriter {
  head(conversation: ExportedConversation): string;
  segment(segment: ExportedSegment): string;
}
