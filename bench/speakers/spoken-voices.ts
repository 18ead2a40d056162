import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { loadSettings } from '../../src/config/index.js';
import { type JobsPool, startJobsPool } from '../../src/engine/index.js';
import { checkout } from '../checkout.js';
import { prepareEnvironment } from '../peers/virtual-environment.js';
import type { SpokenVoice } from './dialogues.js';
import { Labeller } from './label.js';
import { fetchVoices } from './voices.js';

/** The voices of a suite, and what works on them. */
export interface VoiceMaterial {
  /** By the name of the voice. */
  readonly spoken: ReadonlyMap<string, SpokenVoice>;
  /** Folder of recordings of other readers, where there is one. */
  readonly others: string | null;
  /** For what is worked out with files; removed afterwards. */
  readonly folder: string;
  /** Runs the program of the suite, and reads what it prints. */
  readonly ask: (...words: string[]) => Promise<unknown>;
  readonly pool: JobsPool;
  readonly labeller: Labeller;
}

const run = promisify(execFile);
const environment = { name: 'python-speakers', requirements: 'bench/speakers/requirements.txt' } as const;
const program = fileURLToPath(new URL('bench/speakers/conversations.py', checkout));

export const fileNames = z.array(z.string());

export const readPcm = async (path: string): Promise<Int16Array> => {
  const bytes = await readFile(path);
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / Int16Array.BYTES_PER_ELEMENT);
};

/**
 * Reads the voices, and lets a suite work with them.
 * @param given folder with one of FLAC or WAV files for each voice; fetched when absent.
 * @returns what the suite made of them, or why there are no voices.
 */
export const withVoices = async <Made>(
  given: string | undefined,
  work: (material: VoiceMaterial) => Promise<Made>,
): Promise<{ readonly made: Made } | { readonly skipped: string }> => {
  const prepared = await prepareEnvironment(environment);
  if ('skipped' in prepared) return prepared;
  const voices: Awaited<ReturnType<typeof fetchVoices>> | { readonly folder: string; readonly others: null } =
    given === undefined ? await fetchVoices() : { folder: given, others: null };
  if ('skipped' in voices) return voices;
  const folder = await mkdtemp(join(tmpdir(), 'cochlea-speakers-'));
  const { values: settings } = loadSettings();
  const pool = await startJobsPool({ settings: { ...settings, jobThreads: 1 } });
  const labeller = await Labeller.start(settings, pool);
  try {
    const ask = async (...words: string[]): Promise<unknown> =>
      JSON.parse((await run(prepared.python, [program, ...words])).stdout);
    const spoken = new Map<string, SpokenVoice>();
    for (const name of fileNames.parse(await ask('read', voices.folder, folder))) {
      const pcm = await readPcm(join(folder, `${name}.voice`));
      spoken.set(name, { pcm, speech: await labeller.speechIn(pcm) });
    }
    const made = await work({ spoken, others: voices.others, folder, ask, pool, labeller });
    return { made };
  } finally {
    labeller.destroy();
    await pool.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
