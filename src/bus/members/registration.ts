import type { Members } from './members.js';

/**
 * Returns a text that consists of the home of a key, the run of the home, and the run of this engine. If one of the
 * runs changes, the home may have lost what this engine sent to it.
 * @returns an empty text if the key has no home.
 */
export const registrationOf = (members: Members, key: string): string => {
  const home = members.home(key);
  const run = members.living.find(({ id }) => id === home)?.run;
  return home === null ? '' : `${home} ${run} ${members.self.run}`;
};
