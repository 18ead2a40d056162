import { Command } from 'commander';
import { userSettingsRecord } from '../../client/records/index.js';
import { type Acting, fieldSettings, withSettings } from '../arguments/index.js';
import { commandGroup } from './command-group.js';

const actions = () => import('./record-actions.js');

/** Creates the commands for the settings of a user. */
export const settingsCommand = (act: Acting): Command => {
  const settings = fieldSettings(userSettingsRecord, 'change');
  return commandGroup('settings', 'your settings, such as custom words; needs a sign-in in a browser', [
    new Command('show').description('all settings').action(act(actions, 'showSettings')),
    withSettings(new Command('update'), settings)
      .description('change settings; other settings stay unchanged')
      .action(act(actions, 'updateSettings', settings)),
  ]);
};
