import { Command } from 'commander';
import type { RecordDeclaration } from '../../client/records/index.js';
import {
  type Acting,
  argumentOf,
  type Fields,
  fieldSettings,
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

/** The columns of lists of a record. */
export const columnsOf = ({ fields, listed = [] }: RecordDeclaration): readonly Column[] =>
  listed.map((name) => {
    const { option = name, head = option, path = name, width, star } = fields[name]!.cli || {};
    return { path, head, width, star };
  });

/** What a list can be narrowed by. */
export interface Filters {
  readonly settings: readonly Setting[];
  /** Refuses filters that contradict each other. */
  readonly check?: (filter: Fields) => void;
}

const actions = () => import('./record-actions.js');

/** @param usual records that are listed without `--limit`. */
export const listCommand = (
  act: Acting,
  kind: ListedKind,
  help: string,
  usual: number,
  filters: Filters,
): Command =>
  withSettings(withListOptions(new Command('list'), usual), filters.settings)
    .description(help)
    .action(act(actions, 'listRecords', kind, filters));

/** A command for one record. */
export const singleCommand = (name: string, help: string): Command =>
  new Command(name).description(help).argument('<id>', 'id', recordId);

/** The commands that are alike for all kinds of records. */
export const recordCommands = (act: Acting, kind: RecordKind) => {
  const { record, parts = '' } = kind;
  const { noun = record.one, nouns = record.many } = kind;
  return {
    get: (query: readonly Setting[] = []): Command =>
      withSettings(singleCommand('get', `one ${noun}`), query).action(act(actions, 'getRecord', kind, query)),

    search: (path: SearchPath): Command =>
      new Command('search')
        .description(`${nouns} that answer a query, the most relevant first`)
        .argument('<query>', 'what is looked for, by meaning and by words')
        .option('--limit <n>', `${nouns}, at most`, wholeNumber(1, 1_000_000), 10)
        .action(act(actions, 'searchRecords', kind, path)),

    /** @param note ends the help. */
    create: (note = ''): Command => {
      const settings = fieldSettings(record, 'create');
      const { name, help } = argumentOf(record);
      return withSettings(withCreateOptions(new Command('create')), settings)
        .description(`store a ${noun}${note}`)
        .argument(`<${name}>`, help)
        .action(act(actions, 'createRecord', kind, settings));
    },

    update: (): Command => {
      const settings = fieldSettings(record, 'change');
      return withSettings(
        singleCommand('update', `change a ${noun}; what is not given stays`),
        settings,
      ).action(act(actions, 'updateRecord', kind, settings));
    },

    /** @param end ends the help. */
    remove: (end = ' for good'): Command =>
      withYes(singleCommand('delete', `delete a ${noun}${parts}${end}`)).action(
        act(actions, 'deleteRecord', kind),
      ),
  };
};
