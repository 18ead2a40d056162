import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDurableFolder, writeDurableFile } from '../journal/durable-files.js';

/**
 * The identity under which an engine holds leases, kept in the data folder: an engine that restarts there is the same
 * engine and finds its own spill.
 * @param index which of several engine processes on one port; 0 for the only one.
 */
export const readEngineId = async (dataDir: string, index = 0): Promise<string> => {
  const file = join(dataDir, 'engine-id');
  const known = await readFile(file, 'utf8').catch(() => '');
  let id = known.trim();
  if (!/^[0-9a-f-]{36}$/.test(id)) {
    id = randomUUID();
    makeDurableFolder(dataDir, 0o755);
    // Durable before the first spill carries it: an engine that came back under another name would not look for it.
    await writeDurableFile(file, `${id}\n`, 0o644);
  }
  return index === 0 ? id : `${id}-${index}`;
};
