import { Command } from 'commander';
import type { RecordDeclaration } from '../../client/records/index.js';
import {
  type Acting,
  argumentOf,
  type CreateOptions,
  type Fields,
  fieldSettings,
  fieldsSet,
  type GivenOptions,
  type ListOptions,
  recordId,
  type Setting,
  wholeNumber,
  withCreateOptions,
  withListOptions,
  withSettings,
  withYes,
} from '../arguments/index.js';
import type { Column } from '../output/index.js';

/** Paths of records that commands write, and of those that they list. */
type WrittenPath =
  | '/v1/dev/user/action-items'
  | '/v1/dev/user/conversations'
  | '/v1/dev/user/goals'
  | '/v1/dev/user/memories';
type ListedPath = WrittenPath | '/v1/daily-summaries';
export type SearchPath = `${Exclude<WrittenPath, '/v1/dev/user/goals'>}/vector/search`;

/** Records that commands list, and show one by one. */
export interface ListedKind<Path extends ListedPath = ListedPath> {
  readonly path: Path;
  readonly columns: readonly Column[];
  /** Records of one page, at most. */
  readonly page: (filter: Fields) => number;
  /** Whether only a person who has signed in may read them; else a developer key may. */
  readonly own?: boolean;
  /** Name of one, where a service may lack the request for a single one; it is then looked for in the list. */
  readonly soughtAs?: string;
  /** What a table shows of a record, or of the answer to a change; all fields when absent. */
  readonly shown?: () => Promise<(record: never, isChange: boolean) => Fields>;
}

/** Records that commands also write. */
export interface RecordKind extends ListedKind<WrittenPath> {
  readonly record: RecordDeclaration;
  /** Names of one and of several in help, where messages have others. */
  readonly noun?: string;
  readonly nouns?: string;
  /** What a question names that is deleted with a record. */
  readonly parts?: string;
}

const actions = () => import('./record-actions.js');

export interface ListDescription {
  readonly help: string;
  /** Records that are listed without `--limit`. */
  readonly usual: number;
  readonly filters?: readonly Setting[];
  /** Refuses filters that contradict each other. */
  readonly check?: (filter: Fields) => void;
}

export const listCommand = (
  act: Acting,
  kind: ListedKind,
  { help, usual, filters = [], check }: ListDescription,
): Command =>
  withSettings(withListOptions(new Command('list'), usual), filters)
    .description(help)
    .action(
      act<[ListOptions & GivenOptions]>(async (session, options) => {
        const filter = fieldsSet(filters, options);
        check?.(filter);
        await (await actions()).listRecords(session, kind, filter, options);
      }),
    );

/** A command for one record. */
export const singleCommand = (name: string, help: string): Command =>
  new Command(name).description(help).argument('<id>', 'id', recordId);

/** The commands that are alike for all kinds of records. */
export const recordCommands = (act: Acting, kind: RecordKind) => {
  const { record, parts = '' } = kind;
  const { noun = record.one, nouns = record.many } = kind;
  const settings = (occasion: 'create' | 'change') => fieldSettings(record, occasion);
  return {
    list: (description: ListDescription): Command => listCommand(act, kind, description),

    get: (query: readonly Setting[] = []): Command =>
      withSettings(singleCommand('get', `one ${noun}`), query).action(
        act<[string, GivenOptions]>(async (session, id, options) =>
          (await actions()).getRecord(session, kind, id, fieldsSet(query, options)),
        ),
      ),

    search: (path: SearchPath): Command =>
      new Command('search')
        .description(`${nouns} that answer a query, the most relevant first`)
        .argument('<query>', 'what is looked for, by meaning and by words')
        .option('--limit <n>', `${nouns}, at most`, wholeNumber(1, 1_000_000), 10)
        .action(
          act<[string, { limit: number }]>(async (session, query, { limit }) =>
            (await actions()).searchRecords(session, kind, path, { query, limit }),
          ),
        ),

    /** @param note ends the help. */
    create: (note = ''): Command => {
      const given = settings('create');
      const { name, help } = argumentOf(record);
      return withSettings(withCreateOptions(new Command('create')), given)
        .description(`store a ${noun}${note}`)
        .argument(`<${name}>`, help)
        .action(
          act<[string, CreateOptions & GivenOptions]>(async (session, text, options) =>
            (await actions()).createRecord(session, kind, text, fieldsSet(given, options), options),
          ),
        );
    },

    update: (): Command => {
      const given = settings('change');
      return withSettings(singleCommand('update', `change a ${noun}; what is not given stays`), given).action(
        act<[string, GivenOptions]>(async (session, id, options) => {
          const { fieldsRead, updateRecord } = await actions();
          await updateRecord(session, kind, id, await fieldsRead(session, given, options));
        }),
      );
    },

    /** @param end ends the help. */
    remove: (end = ' for good'): Command =>
      withYes(singleCommand('delete', `delete a ${noun}${parts}${end}`)).action(
        act<[string, { yes?: boolean }]>(async (session, id, { yes }) =>
          (await actions()).deleteRecord(session, kind, id, yes),
        ),
      ),
  };
};

/** A group of commands. */
export const commandGroup = (name: string, help: string, commands: readonly Command[]): Command => {
  const group = new Command(name).description(help);
  for (const command of commands) group.addCommand(command);
  return group;
};
