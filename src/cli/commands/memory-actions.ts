import { memoryBounds } from '../../client/records/index.js';
import { answered } from '../api/index.js';
import type { CreateOptions } from '../arguments/index.js';
import type { Session } from '../session/index.js';
import { refused } from '../terminal/index.js';
import type { RecordKind } from './record-commands.js';
import { creation, jsonList } from './support.js';

export const createMemories = async (
  session: Session,
  { columns }: RecordKind,
  file: string,
  options: CreateOptions,
): Promise<void> => {
  const memories = await jsonList(session, file, 'memories');
  if (!Array.isArray(memories) || memories.length === 0 || memories.length > memoryBounds.batch) {
    throw refused(`${file} must contain a list of 1 to ${memoryBounds.batch} memories.`);
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
