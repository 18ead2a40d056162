import { Command } from 'commander';
import { memoryRecord } from '../../client/records/index.js';
import {
  type Acting,
  categoriesSetting,
  setting,
  sinceArgument,
  withCreateOptions,
} from '../arguments/index.js';
import { commandGroup } from './command-group.js';
import { columnsOf, listCommand, type RecordKind, recordCommands } from './record-commands.js';

const kind: RecordKind = {
  path: '/v1/dev/user/memories',
  record: memoryRecord,
  columns: columnsOf(memoryRecord),
  page: () => 200,
  soughtAs: memoryRecord.one,
};

const settings = [
  categoriesSetting(),
  // The service can neither sort nor filter memories by time, so the command itself applies this filter.
  setting('since', '--since <when>', 'created since a date, or 30m, 12h, 7d, 2w ago', {
    parse: sinceArgument,
  }),
];

/** Creates the commands for facts about the user. */
export const memoryCommand = (act: Acting): Command => {
  const { get, search, create, update, remove } = recordCommands(act, kind);
  return commandGroup('memory', 'facts about you', [
    listCommand(act, kind, 'memories: manual ones first, then the newest', 25, { settings }),
    get(),
    search('/v1/dev/user/memories/vector/search'),
    create(),
    withCreateOptions(new Command('create-batch'))
      .description('store up to 25 memories from a file, all or none')
      .argument(
        '<file>',
        'JSON: a list of {"content": ...}, or {"memories": [...]}; "-" reads standard input',
      )
      .action(act(() => import('./memory-actions.js'), 'createMemories', kind)),
    update(),
    remove(),
  ]);
};
