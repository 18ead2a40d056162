import { type Settings, settings as table } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';

/**
 * Requires the address of a database in the settings.
 * @throws CochleaError `setting_invalid` if `DATABASE_URL` is not set.
 */
export const requireDatabaseUrl = (settings: Settings): Settings => {
  if (settings.databaseUrl !== '') return settings;
  const why = 'it is not set, and only "cochlea up" brings a database of its own';
  throw new CochleaError('setting_invalid', { name: table.databaseUrl.env, why });
};
