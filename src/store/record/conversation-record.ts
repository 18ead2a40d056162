import type { LiveSegment } from '../../wire/index.js';

export type ConversationStatus = 'in_progress' | 'processing' | 'merging' | 'completed' | 'failed';

/** Date-times are ISO 8601 in UTC, as everywhere in the API. */
export interface ActionItem {
  readonly description: string;
  readonly completed: boolean;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly due_at: string | null;
  readonly completed_at: string | null;
  readonly conversation_id: string | null;
}

export interface CalendarEvent {
  readonly title: string;
  readonly description: string;
  readonly start: string;
  /** Minutes. */
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

/** A conversation as `memory_created` shows it. */
export interface ConversationRecord {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly source: string;
  readonly language: string;
  readonly status: ConversationStatus;
  readonly structured: Structured;
  readonly generated_by: string | null;
  readonly transcript_segments: readonly LiveSegment[];
  readonly geolocation: Geolocation | null;
  readonly photos: readonly PhotoRecord[];
  readonly audio_files: readonly never[];
  readonly apps_results: readonly never[];
  readonly external_data: Readonly<Record<string, unknown>> | null;
  readonly discarded: boolean;
  readonly visibility: 'private';
  readonly starred: boolean;
  readonly is_locked: boolean;
  readonly folder_id: string | null;
  readonly client_device_id: string | null;
  readonly client_platform: string | null;
}

/** An image of a conversation; a link to it is made by the API. */
export interface PhotoRecord {
  readonly id: string;
  readonly created_at: string;
  readonly content_type: string;
  /** null until it is described. */
  readonly description: string | null;
  readonly discarded: boolean;
}

/** ISO 8601 in UTC; a fraction, in microseconds, only where there is one. */
export const isoUtc = (date: Date): string => {
  const text = date.toISOString();
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : `${text.slice(0, -1)}000Z`;
};
