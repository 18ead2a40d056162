import type { ApiClient } from '../../client/index.js';
import { answered, type PageQuery, recordById } from '../api/index.js';
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
import type { ListedKind, RecordKind, SearchPath } from './record-commands.js';
import { changes, confirmed, creation, printFound, printList, textArgument } from './support.js';

/** What the commands do that are alike for all kinds of records. */

const clientFor = (session: Session, { own }: ListedKind): Promise<ApiClient> =>
  own ? session.ownApi() : session.api();

/** @param filter what the service is asked for; `since`, which no request knows, leaves out what was created before. */
export const listRecords = async (
  session: Session,
  kind: ListedKind,
  filter: Fields,
  options: ListOptions,
): Promise<void> => {
  const { path, columns, page } = kind;
  const api = await clientFor(session, kind);
  const { since, ...sent } = filter;
  const from = Date.parse(since as string);
  await printList<{ readonly created_at: string }>(
    session,
    options,
    {
      columns,
      page: page(filter),
      ask: (query) => api.GET(path, { params: { query: { ...query, ...sent } } }),
      keep: ({ created_at: at }) => since === undefined || Date.parse(at) >= from,
    },
    since !== undefined,
  );
};

/** Prints a record. @param isChange whether it answers a change. */
export const printRecord = async (
  { print }: Session,
  { shown }: ListedKind,
  record: object,
  isChange = false,
): Promise<void> => print.record(record, shown && (await shown())(record as never, isChange));

export const getRecord = async (
  session: Session,
  kind: ListedKind,
  id: string,
  query: Fields = {},
): Promise<void> => {
  const { path, soughtAs } = kind;
  const api = await clientFor(session, kind);
  const single = await api.GET(`${path}/{id}`, { params: { path: { id }, query } });
  const list = (page: PageQuery) => api.GET(path, { params: { query: page } });
  const found = soughtAs ? await recordById(soughtAs, id, single, list) : answered(single);
  await printRecord(session, kind, found);
};

export const searchRecords = async (
  session: Session,
  { columns }: RecordKind,
  path: SearchPath,
  query: { readonly query: string; readonly limit: number },
): Promise<void> => {
  const api = await session.api();
  await printFound<object>(session, answered(await api.GET(path, { params: { query } })), columns);
};

/** @param given the text that is no option. */
export const createRecord = async (
  session: Session,
  kind: RecordKind,
  given: string,
  fields: Fields,
  options: CreateOptions,
): Promise<void> => {
  const { name } = argumentOf(kind.record);
  const body = { ...fields, [name]: await textArgument(session, given, name) };
  const api = await session.api();
  const params = creation(options);
  await printRecord(session, kind, answered(await api.POST(kind.path, { params, body: body as never })));
};

/** The fields that options set, some of them from standard input. @throws CommandFailure `refused` for an empty text. */
export const fieldsRead = async (
  session: Session,
  settings: readonly Setting[],
  options: GivenOptions,
): Promise<Fields> => {
  const fields = fieldsSet(settings, options);
  for (const { field } of settings.filter(({ stdin, field }) => stdin && field in fields))
    fields[field] = await textArgument(session, fields[field] as string, field);
  return fields;
};

/** @throws CommandFailure `refused` without fields. */
export const updateRecord = async (
  session: Session,
  kind: RecordKind,
  id: string,
  fields: Fields,
): Promise<void> => {
  const body = changes(fields) as never;
  const api = await session.api();
  const answer = answered(await api.PATCH(`${kind.path}/{id}`, { params: { path: { id } }, body }));
  await printRecord(session, kind, answer, true);
};

export const deleteRecord = async (
  session: Session,
  { path, record: { one }, parts = '' }: RecordKind,
  id: string,
  yes: boolean | undefined,
): Promise<void> => {
  const api = await session.api();
  await confirmed(session, `Delete ${one} ${id}${parts}?`, yes);
  const answer = answered(await api.DELETE(`${path}/{id}`, { params: { path: { id } } }));
  await session.print.deleted(`${one} ${id}`, answer);
};
