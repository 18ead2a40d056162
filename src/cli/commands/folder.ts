import { Command } from 'commander';
import type { Acting } from '../arguments/index.js';

/** Folders of conversations. */
export const folderCommand = (act: Acting): Command =>
  new Command('folder')
    .description('folders of conversations')
    .addCommand(
      new Command('list')
        .description('folders in their order')
        .action(act(async (session) => (await import('./folder-actions.js')).listFolders(session))),
    );
