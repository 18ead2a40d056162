import { withoutTail } from './spoken.js';
import { cut } from './words.js';

const longestDescription = 500;

/** What was said of a task as a line of a list: a capital first, and nothing at the end that adds nothing. */
export const taskTitle = (task: string): string =>
  cut(
    withoutTail(task)
      .trim()
      .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()),
    longestDescription,
  );
