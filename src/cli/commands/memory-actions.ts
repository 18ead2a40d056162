import type { Schemas } from '../../client/index.js';
import { answered, recordById } from '../api/index.js';
import type { CreateOptions, MemoryChange, MemoryListOptions, NewMemory } from '../arguments/index.js';
import type { Column } from '../output/index.js';
import type { Session } from '../session/index.js';
import { CommandFailure } from '../terminal/index.js';
import { changes, confirmed, creation, jsonFile, printFound, printList, textArgument } from './support.js';

type Memory = Schemas['DeveloperMemory'];
type Patch = { content?: string; category?: never; visibility?: never; tags?: string[] };

/** Memories of one page, at most. */
const page = 200;
const path = '/v1/dev/user/memories';
const byId = '/v1/dev/user/memories/{id}';

const columns: readonly Column[] = [
  { head: 'id', value: (row: Memory) => row.id },
  { head: 'content', value: (row: Memory) => row.content, width: 60 },
  { head: 'category', value: (row: Memory) => row.category },
  { head: 'tags', value: (row: Memory) => row.tags, width: 30 },
  { head: 'created', value: (row: Memory) => row.created_at },
];

export const listMemories = async (session: Session, options: MemoryListOptions): Promise<void> => {
  const api = await session.api();
  const { categories, since } = options;
  const from = since === undefined ? undefined : Date.parse(since);
  await printList<Memory>(
    session,
    options,
    {
      columns,
      page,
      ask: (query) => api.GET(path, { params: { query: { ...query, ...(categories && { categories }) } } }),
      // The service lists memories by other things than their time, and has no filter for it.
      keep: ({ created_at: at }) => from === undefined || Date.parse(at) >= from,
    },
    from !== undefined,
  );
};

export const getMemory = async (session: Session, id: string): Promise<void> => {
  const api = await session.api();
  const single = await api.GET(byId, { params: { path: { id } } });
  const memory = await recordById<Memory>('memory', id, single, (query) =>
    api.GET(path, { params: { query } }),
  );
  await session.print.record(memory);
};

export const searchMemories = async (
  session: Session,
  query: string,
  { limit }: { limit: number },
): Promise<void> => {
  const api = await session.api();
  const found = answered(
    await api.GET('/v1/dev/user/memories/vector/search', { params: { query: { query, limit } } }),
  );
  await printFound(session, found, columns);
};

const patchOf = async (session: Session, given: MemoryChange): Promise<Patch> => ({
  content: given.content === undefined ? undefined : await textArgument(session, given.content, 'content'),
  category: given.category as never,
  visibility: given.visibility as never,
  tags: given.tag && [...given.tag],
});

export const createMemory = async (session: Session, content: string, options: NewMemory): Promise<void> => {
  const api = await session.api();
  const patch = await patchOf(session, { ...options, content });
  const body = { ...changes(patch), content: patch.content! };
  await session.print.record(answered(await api.POST(path, { params: creation(options), body })));
};

/** Memories that one request creates, at most. */
const largestBatch = 25;

export const createMemories = async (
  session: Session,
  file: string,
  options: CreateOptions,
): Promise<void> => {
  const given = await jsonFile(session, file);
  const memories = Array.isArray(given) ? given : (given as { memories?: unknown } | null)?.memories;
  if (!Array.isArray(memories) || memories.length === 0 || memories.length > largestBatch) {
    throw new CommandFailure('refused', `${file} has to hold a list of 1 to ${largestBatch} memories.`);
  }
  const api = await session.api();
  const created = answered(
    await api.POST('/v1/dev/user/memories/batch', {
      params: creation(options),
      body: { memories: memories as never },
    }),
  );
  if (session.print.json) return session.print.record(created);
  await session.print.list(created.memories, columns);
};

export const updateMemory = async (session: Session, id: string, given: MemoryChange): Promise<void> => {
  const body = changes(await patchOf(session, given));
  const api = await session.api();
  await session.print.record(answered(await api.PATCH(byId, { params: { path: { id } }, body })));
};

export const deleteMemory = async (
  session: Session,
  id: string,
  { yes }: { yes?: boolean },
): Promise<void> => {
  const api = await session.api();
  await confirmed(session, `Delete memory ${id}?`, yes);
  const answer = answered(await api.DELETE(byId, { params: { path: { id } } }));
  await session.print.deleted(`memory ${id}`, answer);
};
