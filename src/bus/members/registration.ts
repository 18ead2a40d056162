import type { Members } from './members.js';

/**
 * Names the home of a key, with the runs of the home and of this engine. If a run changes, the home may have lost what
 * this engine told it.
 * @returns an empty text without a home.
 */
export const registrationOf = (members: Members, key: string): string => {
  const home = members.home(key);
  const run = members.living.find(({ id }) => id === home)?.run;
  return home === null ? '' : `${home} ${run} ${members.self.run}`;
};
