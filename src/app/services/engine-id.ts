import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDurableFolder, writeDurableFile } from '../../journal/index.js';

/**
 * Returns the id of an engine, which identifies it as a lease holder. The id is stored in the data folder, so that a
 * restarted engine has the same id and finds its spill.
 * @param index number of this engine process among several on one port; 0 for a single process.
 */
export const readEngineId = async (dataDir: string, index = 0): Promise<string> => {
  const file = join(dataDir, 'engine-id');
  const known = await readFile(file, 'utf8').catch(() => '');
  let id = known.trim();
  if (!/^[0-9a-f-]{36}$/.test(id)) {
    id = randomUUID();
    makeDurableFolder(dataDir, 0o755);
    // The id must be durable before the first spill file is written, whose name contains the id. An engine with a
    // different id would not find that file.
    await writeDurableFile(file, `${id}\n`, 0o644);
  }
  return index === 0 ? id : `${id}-${index}`;
};
