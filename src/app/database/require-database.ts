import { type Settings, settings as table } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';

/**
 * Checks that the settings contain the address of a database.
 * @throws CochleaError `setting_invalid` when `DATABASE_URL` is not set.
 */
export const requireDatabaseUrl = (settings: Settings): Settings => {
  if (settings.databaseUrl !== '') return settings;
  const why = 'it is not set, and only "cochlea up" brings a database of its own';
  throw new CochleaError('setting_invalid', { name: table.databaseUrl.env, why });
};
