import type { LiveSegment } from '../../wire/index.js';
import type { actionItemRecord, ShownOf } from '../../wire/records/index.js';

export type ConversationStatus = 'in_progress' | 'processing' | 'merging' | 'completed' | 'failed';

type SummarisedItem = ShownOf<typeof actionItemRecord, 'summary'>;

/**
 * An action item in a summary. Action items of older summaries have no times. Times are ISO 8601 in UTC, as everywhere
 * in the API.
 */
export type ActionItem = {
  readonly [Name in keyof SummarisedItem]:
    | SummarisedItem[Name]
    | (Name extends 'created_at' | 'updated_at' ? null : never);
};

export interface CalendarEvent {
  readonly title: string;
  readonly description: string;
  readonly start: string;
  /** Duration of the event in minutes. */
  readonly duration: number;
  readonly created: boolean;
}

/** The summary of a conversation. */
export interface Structured {
  readonly title: string;
  readonly overview: string;
  readonly emoji: string;
  readonly category: string;
  readonly action_items: readonly ActionItem[];
  readonly events: readonly CalendarEvent[];
}

export const emptyStructured: Structured = {
  title: '',
  overview: '',
  emoji: '🧠',
  category: 'other',
  action_items: [],
  events: [],
};

export interface Geolocation {
  readonly latitude: number;
  readonly longitude: number;
  readonly address: string | null;
  readonly google_place_id: string | null;
  readonly location_type: string | null;
}

/**
 * Columns of a conversation that are read without conversion. @typeParam Moment type of a time: Date in a row, text in
 * a JSON document
 */
export interface ConversationColumns<Moment = Date> {
  readonly id: string;
  readonly uid: string;
  readonly created_at: Moment;
  readonly updated_at: Moment;
  readonly started_at: Moment | null;
  readonly finished_at: Moment | null;
  readonly source: string;
  readonly language: string;
  readonly status: ConversationStatus;
  readonly structured: Partial<Structured> | null;
  readonly generated_by: string | null;
  readonly geolocation: Geolocation | null;
  readonly external_data: Readonly<Record<string, unknown>> | null;
  readonly discarded: boolean;
  readonly starred: boolean;
  readonly is_locked: boolean;
  readonly folder_id: string | null;
  readonly client_device_id: string | null;
  readonly client_platform: string | null;
  readonly uses_custom_stt: boolean;
  readonly epoch: number;
  readonly revision: number;
  readonly processing_attempts: number;
}

/** Type of the names in a comma-separated list of columns. */
type NamesIn<List extends string> = List extends `${infer Name}, ${infer Others}`
  ? Name | NamesIn<Others>
  : List;

/** Type of a row with the columns of a comma-separated list. */
export type ConversationRow<List extends string, Moment = Date> = Pick<
  ConversationColumns<Moment>,
  NamesIn<List> & keyof ConversationColumns
>;

/** A conversation as the event `memory_created` contains it. */
export interface ConversationRecord
  extends Omit<
    ConversationColumns<string>,
    'uid' | 'structured' | 'uses_custom_stt' | 'epoch' | 'revision' | 'processing_attempts'
  > {
  readonly structured: Structured;
  readonly transcript_segments: readonly LiveSegment[];
  readonly photos: readonly PhotoRecord[];
  readonly audio_files: readonly never[];
  readonly apps_results: readonly never[];
  readonly visibility: 'private';
}

/** An image of a conversation. The API adds a link to it. */
export interface PhotoRecord {
  readonly id: string;
  readonly created_at: string;
  readonly content_type: string;
  /** The description; null until one is stored. */
  readonly description: string | null;
  readonly discarded: boolean;
}

/** Formats a time as ISO 8601 in UTC. The fraction has six digits and is left out when it is zero. */
export const isoUtc = (date: Date): string => {
  const text = date.toISOString();
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : `${text.slice(0, -1)}000Z`;
};
