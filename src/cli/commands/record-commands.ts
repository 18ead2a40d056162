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

/** API paths of records that commands write, and of records that they list. */
type WrittenPath =
  | '/v1/dev/user/action-items'
  | '/v1/dev/user/conversations'
  | '/v1/dev/user/goals'
  | '/v1/dev/user/memories';
type ListedPath = WrittenPath | '/v1/daily-summaries';
export type SearchPath = `${Exclude<WrittenPath, '/v1/dev/user/goals'>}/vector/search`;

/** A kind of records that commands list and show. */
export interface ListedKind<Path extends ListedPath = ListedPath> {
  readonly path: Path;
  readonly columns: readonly Column[];
  /** Maximum records per page. */
  readonly page: (filter: Fields) => number;
  /** Whether reading needs a signed-in person; otherwise a developer key suffices. */
  readonly own?: boolean;
  /** Name of a single record, if a service may lack its route. The record is then searched in the list. */
  readonly soughtAs?: string;
  /** Table fields of a record, or of the answer to a change; absent: all fields. */
  readonly shown?: () => Promise<(record: never, isChange: boolean) => Fields>;
}

/** A kind of records that commands also write. */
export interface RecordKind extends ListedKind<WrittenPath> {
  readonly record: RecordDeclaration;
  /** Singular and plural in the help, if they differ from those in messages. */
  readonly noun?: string;
  readonly nouns?: string;
  /** Parts deleted with a record, named by the confirmation question. */
  readonly parts?: string;
}

/** Columns in lists of a record. */
export const columnsOf = ({ fields, listed = [] }: RecordDeclaration): readonly Column[] =>
  listed.map((name) => {
    const { option = name, head = option, path = name, width, star } = fields[name]!.cli || {};
    return { path, head, width, star };
  });

/** Filters of a list. */
export interface Filters {
  readonly settings: readonly Setting[];
  /** Refuses contradictory filters. */
  readonly check?: (filter: Fields) => void;
}

const actions = () => import('./record-actions.js');

/** @param usual number of records listed without `--limit`. */
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

/** Commands shared by all kinds of records. */
export const recordCommands = (act: Acting, kind: RecordKind) => {
  const { record, parts = '' } = kind;
  const { noun = record.one, nouns = record.many } = kind;
  return {
    get: (query: readonly Setting[] = []): Command =>
      withSettings(singleCommand('get', `one ${noun}`), query).action(act(actions, 'getRecord', kind, query)),

    search: (path: SearchPath): Command =>
      new Command('search')
        .description(`${nouns} that match a query, the most relevant first`)
        .argument('<query>', 'query, compared by meaning and by words')
        .option('--limit <n>', `${nouns}, at most`, wholeNumber(1, 1_000_000), 10)
        .action(act(actions, 'searchRecords', kind, path)),

    /** @param note last part of the help. */
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
        singleCommand('update', `change a ${noun}; other fields stay unchanged`),
        settings,
      ).action(act(actions, 'updateRecord', kind, settings));
    },

    /** @param end last words of the help. */
    remove: (end = ' for good'): Command =>
      withYes(singleCommand('delete', `delete a ${noun}${parts}${end}`)).action(
        act(actions, 'deleteRecord', kind),
      ),
  };
};
