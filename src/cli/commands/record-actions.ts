import type { ApiClient } from '../../client/index.js';
import { folderRecord } from '../../client/records/index.js';
import { answered, answeredList, listed, type PageQuery, recordById } from '../api/index.js';
import {
  argumentOf,
  type CreateOptions,
  type Fields,
  fieldsSet,
  type GivenOptions,
  type ListOptions,
  type Setting,
} from '../arguments/index.js';
import type { Session } from '../session/index.js';
import { refused } from '../terminal/index.js';
import {
  columnsOf,
  type Filters,
  type ListedKind,
  type RecordKind,
  type SearchPath,
} from './record-commands.js';
import { confirmed, creation, textArgument } from './support.js';

/** Actions that all kinds of records share, and short actions for folders and settings. */

const clientFor = (session: Session, { own }: ListedKind): Promise<ApiClient> =>
  own ? session.ownApi() : session.api();

/**
 * Reads and prints a list: as a table or JSON when the list is complete, or as one line per record while the records
 * arrive. The service has no filter `since`. This function therefore reads all pages and omits records created earlier.
 */
export const listRecords = async (
  session: Session,
  kind: ListedKind,
  { settings, check }: Filters,
  options: ListOptions & GivenOptions,
): Promise<void> => {
  const { io, print } = session;
  const { limit, offset, all, jsonl } = options;
  const { since, ...filter } = fieldsSet(settings, options);
  check?.(filter);
  const api = await clientFor(session, kind);
  const isChosen = since !== undefined;
  const most = all ? Number.POSITIVE_INFINITY : limit;
  const { startProgress } = await import('../output/progress.js');
  const progress = await startProgress(io, !print.json && !jsonl && (all === true || isChosen));
  const page = (query: PageQuery) => api.GET(kind.path, { params: { query: { ...query, ...filter } } });
  const selection = { limit: isChosen ? undefined : most, offset, page: kind.page(filter) };
  const rows: unknown[] = [];
  let count = 0;
  try {
    for await (const item of listed<{ readonly created_at: string }>(page, selection)) {
      if (isChosen && !(Date.parse(item.created_at) >= Date.parse(since as string))) continue;
      count++;
      if (jsonl) await print.line(item);
      else rows.push(item);
      progress.count(count);
      if (count >= most) break;
    }
  } finally {
    progress.stop();
  }
  if (!jsonl) await print.list(rows, kind.columns);
};

/** Prints a record. @param isChange whether the record is the answer to a change. */
export const printRecord = async (
  { print }: Session,
  { shown }: ListedKind,
  record: object,
  isChange = false,
): Promise<void> => print.record(record, shown && (await shown())(record as never, isChange));

export const getRecord = async (
  session: Session,
  kind: ListedKind,
  settings: readonly Setting[],
  id: string,
  options: GivenOptions,
): Promise<void> => {
  const query = fieldsSet(settings, options);
  const { path, soughtAs } = kind;
  const api = await clientFor(session, kind);
  const single = await api.GET(`${path}/{id}`, { params: { path: { id }, query } });
  const list = (page: PageQuery) => api.GET(path, { params: { query: page } });
  const found = soughtAs ? await recordById(soughtAs, id, single, list) : answered(single);
  await printRecord(session, kind, found);
};

/** Prints search results. With `--json` it prints the service's answer, otherwise a table of the found items. */
export const searchRecords = async (
  session: Session,
  { columns }: RecordKind,
  path: SearchPath,
  query: string,
  { limit }: { readonly limit: number },
): Promise<void> => {
  const params = { query: { query, limit } };
  const api = await session.api();
  const found = answered(await api.GET(path, { params }));
  if (session.print.json) return session.print.record(found);
  await session.print.list(answeredList<object>({ data: found.items, response: new Response() }), columns);
};

/** Creates a record and prints it. @param given the text argument of the command */
export const createRecord = async (
  session: Session,
  kind: RecordKind,
  settings: readonly Setting[],
  given: string,
  options: CreateOptions & GivenOptions,
): Promise<void> => {
  const { name } = argumentOf(kind.record);
  const body = { ...fieldsSet(settings, options), [name]: await textArgument(session, given, name) };
  const api = await session.api();
  const params = creation(options);
  await printRecord(session, kind, answered(await api.POST(kind.path, { params, body: body as never })));
};

/** Refuses a change without fields. @throws CommandFailure `refused` */
const requireFields = (fields: Fields): void => {
  if (Object.keys(fields).length === 0) throw refused('No fields to update. See --help for the flags.');
};

/** Changes the given fields of a record. @throws CommandFailure `refused` if no field is given */
export const changeRecord = async (
  session: Session,
  kind: RecordKind,
  fields: Fields,
  id: string,
): Promise<void> => {
  requireFields(fields);
  const api = await session.api();
  const answer = answered(
    await api.PATCH(`${kind.path}/{id}`, { params: { path: { id } }, body: fields as never }),
  );
  await printRecord(session, kind, answer, true);
};

/** Changes the fields of a record that the options set. Values may come from standard input. */
export const updateRecord = async (
  session: Session,
  kind: RecordKind,
  settings: readonly Setting[],
  id: string,
  options: GivenOptions,
): Promise<void> => {
  const fields = fieldsSet(settings, options);
  for (const { field } of settings.filter(({ stdin, field }) => stdin && field in fields))
    fields[field] = await textArgument(session, fields[field] as string, field);
  await changeRecord(session, kind, fields, id);
};

export const deleteRecord = async (
  session: Session,
  { path, record: { one }, parts = '' }: RecordKind,
  id: string,
  { yes }: { readonly yes?: boolean },
): Promise<void> => {
  const api = await session.api();
  await confirmed(session, `Delete ${one} ${id}${parts}?`, yes);
  const answer = answered(await api.DELETE(`${path}/{id}`, { params: { path: { id } } }));
  await session.print.deleted(`${one} ${id}`, answer);
};

export const listFolders = async (session: Session): Promise<void> => {
  const api = await session.api();
  await session.print.list(answeredList(await api.GET('/v1/dev/user/folders')), columnsOf(folderRecord));
};

export const showSettings = async (session: Session): Promise<void> => {
  const api = await session.ownApi();
  await session.print.record(answered(await api.GET('/v1/users/settings')));
};

/**
 * Changes the settings that the options set, and prints all settings. @throws CommandFailure `refused` if no option is
 * given
 */
export const updateSettings = async (
  session: Session,
  settings: readonly Setting[],
  options: GivenOptions,
): Promise<void> => {
  const fields = fieldsSet(settings, options);
  requireFields(fields);
  const api = await session.ownApi();
  await session.print.record(answered(await api.PATCH('/v1/users/settings', { body: fields as never })));
};
