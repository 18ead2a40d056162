import { Command, Option } from 'commander';
import {
  type Acting,
  type CreateOptions,
  collected,
  type MemoryChange,
  type MemoryListOptions,
  type NewMemory,
  recordId,
  sinceArgument,
  wholeNumber,
  withCreateOptions,
  withListOptions,
  withYes,
} from '../arguments/index.js';

const visibilities = ['private', 'public'] as const;
const categories = [
  ...[
    'core',
    'hobbies',
    'lifestyle',
    'interests',
    'habits',
    'work',
    'skills',
    'learnings',
    'other',
    'system',
  ],
];

const visibility = (usual?: string): Option => {
  const option = new Option('--visibility <who>', 'private or public').choices(visibilities);
  return usual === undefined ? option : option.default(usual);
};
const category = (): Option => new Option('--category <name>', 'category').choices(categories);

/** Facts about the user. */
export const memoryCommand = (act: Acting): Command => {
  const list = withListOptions(new Command('list'), 25)
    .description('memories: those written by hand first, then the newest')
    .option('--categories <names>', 'only these categories, separated by commas')
    .option('--since <when>', 'created since a date, or 30m, 12h, 7d, 2w ago', sinceArgument)
    .action(
      act<[MemoryListOptions]>(async (...given) =>
        (await import('./memory-actions.js')).listMemories(...given),
      ),
    );

  const get = new Command('get')
    .description('one memory')
    .argument('<id>', 'id', recordId)
    .action(act<[string]>(async (...given) => (await import('./memory-actions.js')).getMemory(...given)));

  const search = new Command('search')
    .description('memories that answer a query, the most relevant first')
    .argument('<query>', 'what is looked for, by meaning and by words')
    .option('--limit <n>', 'memories, at most', wholeNumber(1, 1_000_000), 10)
    .action(
      act<[string, { limit: number }]>(async (...given) =>
        (await import('./memory-actions.js')).searchMemories(...given),
      ),
    );

  const create = withCreateOptions(new Command('create'))
    .description('store a memory')
    .argument('<content>', 'a sentence; "-" reads standard input')
    .addOption(category())
    .addOption(visibility('private'))
    .option('--tag <tag>', 'a tag; can be repeated', collected)
    .action(
      act<[string, NewMemory]>(async (...given) =>
        (await import('./memory-actions.js')).createMemory(...given),
      ),
    );

  const createBatch = withCreateOptions(new Command('create-batch'))
    .description('store up to 25 memories of a file, all or none')
    .argument('<file>', 'JSON: a list of {"content": ...}, or {"memories": [...]}; "-" reads standard input')
    .action(
      act<[string, CreateOptions]>(async (...given) =>
        (await import('./memory-actions.js')).createMemories(...given),
      ),
    );

  const update = new Command('update')
    .description('change a memory; what is not given stays')
    .argument('<id>', 'id', recordId)
    .option('--content <text>', 'a sentence; "-" reads standard input')
    .addOption(category())
    .addOption(visibility())
    .option('--tag <tag>', 'a tag; can be repeated, and replaces all tags', collected)
    .action(
      act<[string, MemoryChange]>(async (...given) =>
        (await import('./memory-actions.js')).updateMemory(...given),
      ),
    );

  const remove = withYes(new Command('delete'))
    .description('delete a memory for good')
    .argument('<id>', 'id', recordId)
    .action(
      act<[string, { yes?: boolean }]>(async (...given) =>
        (await import('./memory-actions.js')).deleteMemory(...given),
      ),
    );

  const group = new Command('memory').description('facts about you');
  for (const command of [list, get, search, create, createBatch, update, remove]) group.addCommand(command);
  return group;
};
