import { Command } from 'commander';
import type { Acting } from '../arguments/index.js';
import { commandGroup } from './command-group.js';

/** Creates the commands for folders of conversations. */
export const folderCommand = (act: Acting): Command =>
  commandGroup('folder', 'folders of conversations', [
    new Command('list')
      .description('folders in their order')
      .action(act(() => import('./record-actions.js'), 'listFolders')),
  ]);
