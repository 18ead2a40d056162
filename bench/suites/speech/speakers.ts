import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Row, SuiteOutcome } from '../../report/envelope.js';
import type { Bound } from '../../rest/bounds.js';
import type { LabelledConversation } from '../../speakers/label.js';
import { type OwnerTrials, ownerTrials } from '../../speakers/owners.js';
import { fileNames, readPcm, withVoices } from '../../speakers/spoken-voices.js';
import type { Watch } from '../rest/rounds.js';

export interface SpeakersOptions extends Watch {
  /** Folder with one subfolder for each voice. Absent: voices are fetched. */
  readonly voices?: string | undefined;
  /** Length of a conversation in seconds. */
  readonly seconds: number;
  /** Number of conversations of each kind. */
  readonly conversations: number;
}

export interface SpeakersOutcome extends SuiteOutcome {
  readonly bounds: readonly Bound[];
}

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

/** Number of people in the largest conversations. */
const mostPeople = 4;

/**
 * Maximum label error as a share of the speech, by number of voices and condition. With one voice, the limit applies to
 * confusion only.
 */
const mostError: Readonly<Record<string, number>> = {
  '2 clean': 0.02,
  '2 noise': 0.04,
  '3 clean': 0.03,
  '3 noise': 0.08,
  '4 clean': 0.03,
  '4 noise': 0.08,
};

/**
 * Maximum error divided by the error of offline clustering. An error below `negligible` always passes, because chance
 * then causes the difference.
 */
const mostAgainstOffline = 1.3;
const negligible = 0.005;

/**
 * Maximum shares of misses and of false accepts, for `enrolled` seconds of enrolled speech and `spoken` seconds of
 * later speech.
 */
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

/**
 * Measures the quality of diarization. Generated conversations of real voices pass through Opus, the core's gate and
 * the jobs pool. The scores of pyannote.metrics include overlaps, but not the 0.25 s before and after each change of
 * speaker.
 */
export const runSpeakers = async (options: SpeakersOptions): Promise<SpeakersOutcome> => {
  const { seconds, conversations, tell, signal } = options;
  const wanted = { given: options.voices, least: mostPeople };
  const found = await withVoices(wanted, async (material): Promise<SpeakersOutcome> => {
    const { spoken, folder, ask, pool, labeller } = material;
    const speechOf = Object.fromEntries([...spoken].map(([name, { speech }]) => [name, speech]));
    const owners = new Map([...spoken].map(([name, { pcm }]) => [name, pcm]));
    const others: Int16Array[] = [];
    const recordings =
      material.others === null ? [] : fileNames.parse(await ask('others', material.others, folder));
    for (const name of recordings) others.push(await readPcm(join(folder, name)));
    tell?.('comparing voices with profiles');
    const trials = await ownerTrials({ owners, others }, { labeller, pool, signal });
    tell?.('making conversations');
    await writeFile(join(folder, 'speech.json'), JSON.stringify(speechOf));
    const files = fileNames.parse(await ask('make', folder, String(seconds), String(conversations)));
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
  });
  if ('made' in found) return found.made;
  return {
    results: [],
    selfNoise: [],
    skipped: [{ suite: 'speakers', what: 'conversations', why: found.skipped }],
    versions: {},
    bounds: [],
  };
};
