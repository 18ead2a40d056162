import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { loadSettings } from '../../src/config/index.js';
import { startJobsPool } from '../../src/engine/index.js';
import { checkout } from '../checkout.js';
import { prepareEnvironment } from '../peers/virtual-environment.js';
import type { Row, SuiteOutcome } from '../report/envelope.js';
import type { Bound } from '../rest/bounds.js';
import { type LabelledConversation, Labeller } from '../speakers/label.js';
import { type OwnerTrials, ownerTrials } from '../speakers/owners.js';
import { fetchVoices } from '../speakers/voices.js';
import type { Watch } from './rounds.js';

export interface SpeakersOptions extends Watch {
  /** Folder with one for each voice; fetched when absent. */
  readonly voices?: string | undefined;
  /** Length of a conversation. */
  readonly seconds: number;
  /** Conversations of each kind. */
  readonly conversations: number;
}

export interface SpeakersOutcome extends SuiteOutcome {
  readonly bounds: readonly Bound[];
}

const run = promisify(execFile);
const environment = { name: 'python-speakers', requirements: 'bench/speakers/requirements.txt' } as const;
const program = fileURLToPath(new URL('bench/speakers/conversations.py', checkout));

const names = z.array(z.string());
const cells = z.record(
  z.string(),
  z.object({
    total: z.number(),
    errors: z.number(),
    offline: z.number(),
    shown: z.number(),
    waits: z.array(z.number()),
    confusion: z.number(),
    conversations: z.number(),
    counted: z.number(),
  }),
);

/** Largest error of the labels, as a share of the speech, by the number of voices; one voice is bounded by its confusion alone. */
const mostError: Readonly<Record<string, number>> = {
  '2 clean': 0.02,
  '2 noise': 0.04,
  '3 clean': 0.03,
  '3 noise': 0.08,
  '4 clean': 0.03,
  '4 noise': 0.08,
};

/** Largest error in multiples of that of offline clustering. An error below the other counts as that, because what is left is chance. */
const mostAgainstOffline = 1.3;
const negligible = 0.005;

/** Largest shares of misses and of false accepts, at so many seconds of speech enrolled and spoken. */
const mostWrong = { enrolled: 16, spoken: 4, misses: 0.05, falseAccepts: 0.01 } as const;

const nameOf = ({ enrolled, spoken, condition }: OwnerTrials): string =>
  `profile of ${enrolled} s, ${spoken} s spoken, ${condition}`;

const trialRow = (trials: OwnerTrials): Row => ({
  suite: 'speakers',
  contender: 'cochlea',
  mode: nameOf(trials),
  owner_misses: trials.misses / trials.own,
  owner_false_accepts: trials.falseAccepts / trials.strange,
});

const trialBounds = (trials: OwnerTrials): Bound[] =>
  trials.enrolled === mostWrong.enrolled && trials.spoken === mostWrong.spoken
    ? [
        { what: `${nameOf(trials)}: misses`, value: trials.misses / trials.own, most: mostWrong.misses },
        {
          what: `${nameOf(trials)}: false accepts`,
          value: trials.falseAccepts / trials.strange,
          most: mostWrong.falseAccepts,
        },
      ]
    : [];
const percentileOf = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(part * values.length)] ?? Number.POSITIVE_INFINITY;

const readPcm = async (path: string): Promise<Int16Array> => {
  const bytes = await readFile(path);
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / Int16Array.BYTES_PER_ELEMENT);
};

/**
 * How well voices are told apart: generated conversations of real voices through Opus, the core's gate and the jobs pool, scored with
 * pyannote.metrics (0.25 s around each change are not scored, overlaps are).
 */
export const runSpeakers = async (options: SpeakersOptions): Promise<SpeakersOutcome> => {
  const { seconds, conversations, tell, signal } = options;
  const nothing = (why: string): SpeakersOutcome => ({
    results: [],
    selfNoise: [],
    skipped: [{ suite: 'speakers', what: 'conversations', why }],
    versions: {},
    bounds: [],
  });
  const prepared = await prepareEnvironment(environment);
  if ('skipped' in prepared) return nothing(prepared.skipped);
  const voices: Awaited<ReturnType<typeof fetchVoices>> | { readonly folder: string; readonly others: null } =
    options.voices === undefined ? await fetchVoices() : { folder: options.voices, others: null };
  if ('skipped' in voices) return nothing(voices.skipped);
  const folder = await mkdtemp(join(tmpdir(), 'cochlea-speakers-'));
  const { values: settings } = loadSettings();
  const pool = await startJobsPool({ settings: { ...settings, jobThreads: 1 } });
  const labeller = await Labeller.start(settings, pool);
  try {
    tell?.('making conversations');
    const ask = async (...words: string[]): Promise<unknown> =>
      JSON.parse((await run(prepared.python, [program, ...words])).stdout);
    const speechOf: Record<string, readonly (readonly [number, number])[]> = {};
    for (const name of names.parse(await ask('read', voices.folder, folder))) {
      speechOf[name] = await labeller.speechIn(await readPcm(join(folder, `${name}.voice`)));
    }
    const owners = new Map<string, Int16Array>();
    for (const name of Object.keys(speechOf)) owners.set(name, await readPcm(join(folder, `${name}.voice`)));
    const others: Int16Array[] = [];
    const recordings = voices.others === null ? [] : names.parse(await ask('others', voices.others, folder));
    for (const name of recordings) others.push(await readPcm(join(folder, name)));
    tell?.('comparing voices with profiles');
    const trials = await ownerTrials({ owners, others }, { labeller, pool, signal });
    await writeFile(join(folder, 'speech.json'), JSON.stringify(speechOf));
    const files = names.parse(await ask('make', folder, String(seconds), String(conversations)));
    const labels: Record<string, Omit<LabelledConversation, 'embeddings'>> = {};
    let speech = 0;
    let cpu = 0;
    for (const file of files) {
      signal?.throwIfAborted();
      tell?.(file);
      const { embeddings, ...found } = await labeller.label(await readPcm(join(folder, file)));
      await writeFile(join(folder, `${file}.embeddings`), embeddings);
      labels[file] = found;
      speech += found.speech;
      cpu += found.cpu;
    }
    await writeFile(join(folder, 'labels.json'), JSON.stringify(labels));
    const scored = cells.parse(await ask('score', folder));
    const results = Object.entries(scored).map(
      ([mode, cell]): Row => ({
        suite: 'speakers',
        contender: 'cochlea',
        mode: `${mode.replace(' ', ' voices, ')}`,
        conversations: cell.conversations,
        speaker_error: cell.errors / cell.total,
        speaker_error_offline: cell.offline / cell.total,
        speaker_error_shown: cell.shown / cell.total,
        speaker_confusion: cell.confusion / cell.total,
        speakers_counted: cell.counted / cell.conversations,
        cpu_ms_per_stream_s: cpu / speech,
      }),
    );
    const bounds = Object.entries(scored).map(
      ([mode, { confusion, errors, total }]): Bound =>
        mode in mostError
          ? { what: `${mode}: error of the labels`, value: errors / total, most: mostError[mode]! }
          : {
              what: `${mode}: share of one voice that is labelled as another`,
              value: confusion / total,
              most: 0,
            },
    );
    const compared = Object.entries(scored)
      .filter(([mode]) => mode in mostError)
      .map(
        ([mode, { errors, offline, total }]): Bound => ({
          what: `${mode}: error against offline clustering that is told the number of voices`,
          value: Math.max(negligible, errors / total) / Math.max(negligible, offline / total),
          most: mostAgainstOffline,
        }),
      );
    const waits = Object.values(scored).flatMap((cell) => cell.waits);
    const late = [
      { what: "a new speaker's label: median, s", value: percentileOf(waits, 0.5), most: 3 },
      { what: "a new speaker's label: p90, s", value: percentileOf(waits, 0.9), most: 10 },
    ];
    return {
      results: [...results, ...trials.map(trialRow)],
      selfNoise: [],
      skipped: [],
      versions: {},
      bounds: [...bounds, ...compared, ...late, ...trials.flatMap(trialBounds)],
    };
  } finally {
    labeller.destroy();
    await pool.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
