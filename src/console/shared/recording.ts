import { signal } from '@preact/signals';

/** Whether this page records. Recording goes on while other pages of the console are shown. */
export const recording = signal(false);
