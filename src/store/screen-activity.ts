import { type TimedRow, timedRows } from './timed-rows.js';

/** What a user had on the screen at a time. */
export interface ScreenActivityRow extends TimedRow {
  readonly app_name: string;
  readonly window_title: string | null;
  readonly ocr_text: string | null;
}

export const screenActivityRows = timedRows<ScreenActivityRow>('screen_activity', [
  'id',
  'app_name',
  'window_title',
  'ocr_text',
  'created_at',
]);
