import { type SettingName, type Settings, settings as table } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { firstUnreadable, futureAccount } from './run-as.js';

/**
 * If this process runs as root, checks that the user to which engine and sidecar will change can read the credentials
 * of the bus. Without this check, a missing right would be found only later, because root can read every file.
 * @throws CochleaError `setting_invalid` with the commands that give the access.
 */
export const checkBusCredentials = async (settings: Settings): Promise<void> => {
  const account = await futureAccount(settings);
  if (account === undefined) return;
  for (const name of ['natsEngineCredentials', 'natsSidecarCredentials'] as const satisfies SettingName[]) {
    const path = settings[name];
    if (path === '' || (await firstUnreadable(account, [path])) === undefined) continue;
    const why = `user ${account.name} cannot read ${path}; run "chgrp ${account.gid} ${path}" and "chmod g=r ${path}", and let this user enter its folder`;
    throw new CochleaError('setting_invalid', { name: table[name].env, why });
  }
};
