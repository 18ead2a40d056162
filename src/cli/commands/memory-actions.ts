import { answered } from '../api/index.js';
import type { CreateOptions } from '../arguments/index.js';
import type { Session } from '../session/index.js';
import { CommandFailure } from '../terminal/index.js';
import type { RecordKind } from './record-commands.js';
import { creation, jsonFile } from './support.js';

/** Memories that one request creates, at most. */
const largestBatch = 25;

export const createMemories = async (
  session: Session,
  { columns }: RecordKind,
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
