import type { Sql } from '../../store/client/index.js';
import { exportedDocuments } from '../../store/conversations/index.js';
import { conversationParts } from '../parts/index.js';
import {
  listActionItemsInParts,
  listFolders,
  listGoalsInParts,
  listMemories,
  listPeople,
} from '../records/index.js';
import type { Paged, PageRequest } from '../rules/index.js';
import { cursorOf, type ExportKind, type ExportPlace, exportKinds, placeOf } from './export-cursor.js';

type ListKind = Exclude<ExportKind, 'conversation'>;

/** Reads a page of the user's records. */
type ReadPage = (sql: Sql, uid: string, page: PageRequest) => Promise<Paged<unknown>>;

/** For each kind: the number of records that one statement reads, and the function that reads them. */
const lists: Readonly<Record<ListKind, { readonly limit: number; readonly read: ReadPage }>> = {
  person: { limit: 100, read: listPeople },
  memory: { limit: 30, read: (sql, uid, page) => listMemories(sql, uid, 'developer', page) },
  task: { limit: 100, read: (sql, uid, page) => listActionItemsInParts(sql, uid, { ...page, locked: true }) },
  goal: { limit: 10, read: (sql, uid, page) => listGoalsInParts(sql, uid, { ...page, inactive: true }) },
  folder: {
    limit: 100,
    read: async (sql, uid, { offset = 0 }) => ({
      items: (await listFolders(sql, uid)).slice(offset),
      next: null,
    }),
  },
};

const lineEnd = 0x0a;
const blank = 0x20;
const end = Buffer.from('}\n');

/**
 * Replaces the line ends of JSON text by blanks. In JSON, line ends occur only between values, never inside a string.
 */
const onOneLine = (json: Buffer): Buffer => {
  for (let at = json.indexOf(lineEnd); at >= 0; at = json.indexOf(lineEnd, at + 1)) json[at] = blank;
  return json;
};

/**
 * Returns the beginning of a line, up to its record. With the value of the field `after`, an export continues after
 * this line.
 */
const begun = (type: ExportKind, place: ExportPlace): Buffer =>
  Buffer.from(`{"type":"${type}","after":"${cursorOf(place)}","record":`);

/** Yields the line of a conversation with a long transcript. Yields nothing if the conversation was removed meanwhile. */
async function* longLine(
  sql: Sql,
  uid: string,
  id: string,
  before: Buffer,
): AsyncGenerator<Buffer, void, undefined> {
  const parts = await conversationParts(sql, uid, id, true);
  if (parts === null) return;
  yield before;
  for await (const part of parts) yield onOneLine(Buffer.from(part));
  yield end;
}

async function* conversationLines(
  sql: Sql,
  uid: string,
  from: Extract<ExportPlace, { kind: 'conversation' }>,
): AsyncGenerator<Buffer, void, undefined> {
  for (let { after } = from; ; ) {
    const rows = await exportedDocuments(sql, uid, after);
    if (rows.length === 0) return;
    const lines: Buffer[] = [];
    for (const { id, position, document } of rows) {
      after = position;
      const before = begun('conversation', { kind: 'conversation', after });
      if (document !== null) {
        lines.push(before, onOneLine(Buffer.from(document)), end);
        continue;
      }
      if (lines.length > 0) yield Buffer.concat(lines.splice(0));
      yield* longLine(sql, uid, id, before);
    }
    if (lines.length > 0) yield Buffer.concat(lines);
  }
}

async function* recordLines(
  sql: Sql,
  uid: string,
  kind: ListKind,
  from: { readonly page: string | undefined; readonly skipped: number },
): AsyncGenerator<Buffer, void, undefined> {
  const { limit, read } = lists[kind];
  let { page, skipped } = from;
  for (;;) {
    const { items, next } = await read(sql, uid, { cursor: page, offset: skipped, limit });
    const lines = items.map((item, index) => {
      const place = { kind, page, skipped: skipped + index + 1 };
      return Buffer.concat([begun(kind, place), Buffer.from(JSON.stringify(item)), end]);
    });
    if (lines.length > 0) yield Buffer.concat(lines);
    if (next === null) return;
    page = next;
    skipped = 0;
  }
}

/**
 * Yields all records of a user as lines of JSON: `{"type", "after", "record"}`. Conversations come first, oldest first,
 * with their transcripts; the last line has the type `end` and no record. Each part of the export is read when it is
 * requested. Deleted and locked conversations are left out.
 * @param after field `after` of the last complete line of an export that broke off. The export continues after that
 * line.
 * @throws CochleaError `validation_failed` for an unknown cursor. While lines are read: `answer_outdated` if a long
 * conversation was removed while its line was read.
 */
export const exportEverything = (
  sql: Sql,
  uid: string,
  after: string | undefined,
): AsyncGenerator<Buffer, void, undefined> => linesFrom(sql, uid, placeOf(after));

async function* linesFrom(
  sql: Sql,
  uid: string,
  place: ExportPlace,
): AsyncGenerator<Buffer, void, undefined> {
  if (place.kind === 'end') return;
  if (place.kind === 'conversation') yield* conversationLines(sql, uid, place);
  const first = exportKinds.indexOf(place.kind);
  for (const kind of exportKinds.slice(first)) {
    if (kind === 'conversation') continue;
    yield* recordLines(sql, uid, kind, place.kind === kind ? place : { page: undefined, skipped: 0 });
  }
  yield Buffer.from(`{"type":"end","after":"${cursorOf({ kind: 'end' })}"}\n`);
}
