import { signal } from '@preact/signals';

/** Whether this page records. A recording continues while other pages of the console are shown. */
export const recording = signal(false);
