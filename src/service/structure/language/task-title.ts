import { withoutTail } from './spoken.js';
import { cut } from './words.js';

const longestDescription = 500;

/** Formats a task as an entry of a list: capitalises its first letter, and removes words without meaning at its end. */
export const taskTitle = (task: string): string =>
  cut(
    withoutTail(task)
      .trim()
      .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()),
    longestDescription,
  );
