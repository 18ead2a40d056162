import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { loadSettings } from '../../src/config/load-settings.js';
import { type JobsPool, startJobsPool } from '../../src/engine/voices/jobs-pool.js';
import { checkout } from '../checkout.js';
import { prepareEnvironment } from '../peers/virtual-environment.js';
import type { SpokenVoice } from './dialogues.js';
import { Labeller } from './label.js';
import { fetchVoices } from './voices.js';

/** The voices for a suite, and the tools that process them. */
export interface VoiceMaterial {
  /** Recording of each voice. The key is the name of the voice. */
  readonly spoken: ReadonlyMap<string, SpokenVoice>;
  /** Folder with recordings of other people; null if there is none. */
  readonly others: string | null;
  /** Folder for temporary files. `withVoices` removes it at the end. */
  readonly folder: string;
  /** Runs the suite's Python program and parses its output. */
  readonly ask: (...words: string[]) => Promise<unknown>;
  readonly pool: JobsPool;
  readonly labeller: Labeller;
}

const run = promisify(execFile);
const environment = { name: 'python-speakers', requirements: 'bench/speakers/requirements.txt' } as const;
const program = fileURLToPath(new URL('bench/speakers/conversations.py', checkout));

/** Maximum size of the program's output, in bytes. */
const mostOutput = 16 * 1024 * 1024;

export const fileNames = z.array(z.string());

export const readPcm = async (path: string): Promise<Int16Array> => {
  const bytes = await readFile(path);
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / Int16Array.BYTES_PER_ELEMENT);
};

const needed = 'it holds a folder for each voice, with FLAC or WAV files of its speech, mono 16 kHz';

/** Returns whether the file names in a folder show that it contains a recording. */
const hasRecording = async (folder: string): Promise<boolean> =>
  (await readdir(folder, { recursive: true })).some((name) => /\.(flac|wav)$/.test(name));

/** Checks a given folder before anything is installed or started. Throws if the folder has too few voices. */
const checkGiven = async (given: string, least: number): Promise<void> => {
  const entries = await readdir(given, { withFileTypes: true }).catch((thrown: NodeJS.ErrnoException) => {
    throw new Error(`--voices ${given} cannot be read (${thrown.code}): ${needed}`);
  });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(given, name));
  const found = (await Promise.all(folders.map(hasRecording))).filter(Boolean).length;
  if (found < least) throw tooFew(given, found, least);
};

const tooFew = (given: string, found: number, least: number): Error =>
  new Error(`--voices ${given} has ${found} of the ${least} voices that are needed: ${needed}`);

/** Returns an error for a failed program. Its message is the program's last line. */
const failureOf = (thrown: unknown): Error => {
  const { stderr = '', message } = thrown as Error & { readonly stderr?: string };
  return new Error(`${program}: ${stderr.trim().split('\n').at(-1) || message}`, { cause: thrown });
};

/**
 * Reads the voices and passes them to a suite.
 * @param given folder with one subfolder of FLAC or WAV files for each voice; all voices are read. If absent, voices
 *   are fetched. Fetched voices that were used to choose values of the rules are left out.
 * @param least minimum number of voices that the suite needs.
 * @returns the suite's result, or the reason why there are no voices.
 * @throws Error for a given folder with fewer voices.
 */
export const withVoices = async <Made>(
  { given, least }: { readonly given: string | undefined; readonly least: number },
  work: (material: VoiceMaterial) => Promise<Made>,
): Promise<{ readonly made: Made } | { readonly skipped: string }> => {
  if (given !== undefined) await checkGiven(given, least);
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
    const ask = async (...words: string[]): Promise<unknown> => {
      const answer = run(prepared.python, [program, ...words], { maxBuffer: mostOutput });
      const { stdout } = await answer.catch((thrown: unknown) => {
        throw failureOf(thrown);
      });
      return JSON.parse(stdout);
    };
    const spoken = new Map<string, SpokenVoice>();
    const which = given === undefined ? 'half' : 'all';
    const names = fileNames.parse(await ask('read', voices.folder, folder, which));
    if (names.length < least) throw tooFew(voices.folder, names.length, least);
    for (const name of names) {
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
