import { type TimedRow, timedRows } from './timed-rows.js';

export const postKinds = ['tweet', 'bookmark'] as const;

/** A post that a user has written or kept elsewhere. */
export interface PostRow extends TimedRow {
  readonly kind: (typeof postKinds)[number];
  readonly text: string;
}

export const postRows = timedRows<PostRow>('posts', ['id', 'kind', 'text', 'created_at']);
