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

/**
 * API paths of the records that commands can write. `ListedPath` also contains the paths of records that commands only
 * list.
 */
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
  /** Returns the maximum number of records per page. */
  readonly page: (filter: Fields) => number;
  /** Whether reading needs a sign-in. Without this field a developer key suffices. */
  readonly own?: boolean;
  /**
   * Name of the kind in messages. It is set if a service may lack the route for a single record of this kind. In that
   * case the record is searched in the list.
   */
  readonly soughtAs?: string;
  /**
   * Loads the function that returns the table fields of a record. For the answer to a change, `isChange` is true.
   * Absent: the table shows all fields.
   */
  readonly shown?: () => Promise<(record: never, isChange: boolean) => Fields>;
}

/** A kind of records that commands also write. */
export interface RecordKind extends ListedKind<WrittenPath> {
  readonly record: RecordDeclaration;
  /** Singular name of the kind in the help, if it differs from the name in messages. */
  readonly noun?: string;
  /** Plural name of the kind in the help, if it differs from the name in messages. */
  readonly nouns?: string;
  /** Parts that a deletion removes together with a record, as text for the help and the confirmation question. */
  readonly parts?: string;
}

/** Returns the columns that lists of a record show. */
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

/** Creates the command that lists records. @param usual number of records listed without `--limit` */
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

/** Creates a command that takes the id of one record. */
export const singleCommand = (name: string, help: string): Command =>
  new Command(name).description(help).argument('<id>', 'id', recordId);

/** Returns functions that create the commands for one kind of records: list, show, create, change, delete. */
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

    /** Creates the command `create`. @param note text at the end of its help */
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

    /** Creates the command `delete`. @param end words at the end of its help */
    remove: (end = ' for good'): Command =>
      withYes(singleCommand('delete', `delete a ${noun}${parts}${end}`)).action(
        act(actions, 'deleteRecord', kind),
      ),
  };
};
