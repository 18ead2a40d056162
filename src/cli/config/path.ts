import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Returns the path of the configuration file: `COCHLEA_CONFIG`, with `~` for the home directory, else
 * `~/.cochlea/config.toml`.
 */
export const configPath = ({ COCHLEA_CONFIG: given = '' }: NodeJS.ProcessEnv): string => {
  if (given === '') return join(homedir(), '.cochlea', 'config.toml');
  return given.startsWith('~/') ? join(homedir(), given.slice(2)) : resolve(given);
};
