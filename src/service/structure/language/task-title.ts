import { withoutTail } from './spoken.js';
import { cut } from './words.js';

const longestDescription = 500;

/** Formats a task as a line of a list: a capital first, and no empty words at its end. */
export const taskTitle = (task: string): string =>
  cut(
    withoutTail(task)
      .trim()
      .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()),
    longestDescription,
  );
