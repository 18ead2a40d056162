/**
 * Makes data with which each operation of the console can succeed, and the description of the console's interface with
 * that data.
 */
import { randomUUID } from 'node:crypto';
import { createConsoleLink } from '../../src/identity/console-sessions.js';
import { createUser } from '../../src/identity/users.js';
import type { Sql } from '../../src/store/client/database.js';
import { makeSegments } from '../sidecar/console/export-support.js';
import { consoleHeaders, consoleSession } from '../sidecar/support.js';

/** What schemathesis needs to test the console. */
export interface ConsoleData {
  /** Values of `console.toml`, by their names. */
  readonly environment: Readonly<Record<string, string>>;
  /** The cookie of a session that a test may end. */
  readonly endedSession: string;
  /** The description, whose examples of bodies name records that exist. */
  readonly description: object;
}

interface Described {
  readonly paths: Record<
    string,
    Record<string, { operationId: string; requestBody?: { content: Record<string, { example?: unknown }> } }>
  >;
}

const conversationOf = async (sql: Sql, uid: string): Promise<string> => {
  const id = randomUUID();
  const structured = {
    title: 'Talk',
    overview: '',
    emoji: '',
    category: 'other',
    action_items: [],
    events: [],
  };
  await sql`
    insert into conversations (id, uid, status, source, created_at, started_at, finished_at, last_speech_at, structured)
    values (${id}, ${uid}, 'completed', 'phone', now(), now(), now() + interval '9 s', now() + interval '9 s', ${sql.json(structured)})`;
  await makeSegments(sql, id, 6);
  return id;
};

/** Prepares a user of the console with a session and records, and one more session that the tests may end. */
export const makeConsoleData = async (base: string, sql: Sql): Promise<ConsoleData> => {
  const { uid } = await createUser(sql, { uid: 'browsing', name: 'Cleo Example' });
  const { uid: leaving } = await createUser(sql, { uid: 'leaving', name: 'Dan Example' });
  const headers = consoleHeaders({ base }, await consoleSession(sql, uid));
  const call = async (path: string, body?: object): Promise<Record<string, never>> => {
    const answer = await fetch(`${base}/console/api/${path}`, {
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, never>;
  };
  const made = async (path: string, name: string): Promise<string> =>
    (await call(path, { name })).id as unknown as string;
  const one = (): Promise<string> => conversationOf(sql, uid);
  const secret = async (): Promise<string> => (await createConsoleLink(sql, leaving)).secret;
  const [read, named, deleted, divided] = [await one(), await one(), await one(), await one()];
  const segmentsOf = (id: string) => sql<{ id: string; revision: number }[]>`
    select id, revision from segments where conversation_id = ${id} order by position`;
  const [segment] = await segmentsOf(read);
  const [, second] = await segmentsOf(divided);
  const naming = await call(`conversations/${named}/speakers`, { speaker_id: 0, person: { name: 'Eve' } });
  const merged = await call('conversations/merge', { ids: [await one(), await one()] });
  const folders = (await call('folders')) as unknown as { id: string }[];
  await consoleSession(sql, uid);
  const { browsers } = (await call('browsers')) as unknown as {
    browsers: { id: string; current: boolean }[];
  };
  const bodies: Readonly<Record<string, unknown>> = {
    consoleReadLink: { link: await secret() },
    consoleEnter: { link: await secret() },
    consoleChangeSegment: { text: 'Another text.', revision: segment!.revision },
    consoleNameSpeaker: { speaker_id: 0, person: { name: 'Finn' } },
    consoleUndoSpeaker: { undo: naming.undo },
    consoleChangeConversations: { ids: [await one()], action: 'star', starred: true },
    consoleSplitConversation: { segment_id: second!.id },
    consoleMergeConversations: { ids: [await one(), await one()] },
    consoleUndoChange: { undo: merged.undo },
    consoleReorderFolders: { folder_ids: folders.map(({ id }) => id) },
  };
  const description = (await call('openapi.json')) as unknown as Described;
  const unused = new Set(Object.keys(bodies));
  for (const { operationId, requestBody } of Object.values(description.paths).flatMap((path) =>
    Object.values(path),
  )) {
    if (!unused.delete(operationId)) continue;
    for (const content of Object.values(requestBody!.content)) content.example = bodies[operationId];
  }
  if (unused.size > 0) throw new Error(`unknown operations: ${[...unused].join(', ')}`);
  const environment = {
    SESSION: headers.cookie!.split('=')[1]!,
    ORIGIN: base,
    OTHER_BROWSER: browsers.find(({ current }) => !current)!.id,
    READ_CONVERSATION: read,
    SEGMENT: segment!.id,
    NAMED_CONVERSATION: named,
    DELETED_CONVERSATION: deleted,
    DIVIDED_CONVERSATION: divided,
    PERSON: await made('people', 'Gil'),
    DELETED_PERSON: await made('people', 'Hal'),
    FOLDER: await made('folders', 'Kept'),
    DELETED_FOLDER: await made('folders', 'Short-lived'),
  };
  return { environment, endedSession: await consoleSession(sql, leaving), description };
};
