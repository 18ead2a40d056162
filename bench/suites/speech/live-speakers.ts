import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeFrames } from '../../../src/app/wearable/encode.js';
import { percentile, utteranceLags } from '../../../src/app/wearable/lag.js';
import { realClock } from '../../../src/app/wearable/pace.js';
import { Wearable } from '../../../src/app/wearable/wearable.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { ensureModel, modelOptions } from '../../../src/models/ensure.js';
import { cpuBetween, readCpu } from '../../fleet/process-usage.js';
import { startEngine } from '../../fleet/targets/engine-target.js';
import type { Row } from '../../report/envelope.js';
import type { Bound } from '../../rest/bounds.js';
import { type Dialogue, dialogueOf } from '../../speakers/dialogues.js';
import { withVoices } from '../../speakers/spoken-voices.js';
import { type TurnLabels, turnLabels } from '../../speakers/turn-labels.js';
import type { Watch } from '../rest/rounds.js';
import type { SpeakersOutcome } from './speakers.js';

export interface LiveSpeakersOptions extends Watch {
  /** Folder with one subfolder for each voice. Absent: voices are fetched. */
  readonly voices?: string | undefined;
  /** Length of a conversation in seconds. */
  readonly seconds: number;
}

/** Number of concurrent conversations. */
const wearables = 4;
/** Number of rounds of each variant. Variants with and without diarization alternate. */
const rounds = 2;
/** Maximum ms from the last frame until the last words must arrive. */
const lastWords = 20_000;
/** After so many ms without a message, all words count as arrived. */
const lastSilence = 5000;
/** Maximum share of known speakers' turns with a wrong label. */
const mostWrong = 0.02;
/** Maximum word lag with diarization, divided by the word lag without diarization. */
const mostLag = 1.1;

/** Results that the sockets of one run received. */
interface Seen {
  readonly lags: readonly (number | undefined)[];
  readonly labels: readonly TurnLabels[];
  readonly cpu: number;
  readonly audio: number;
}

const converse = async (url: string, uid: string, dialogue: Dialogue) => {
  const wearable = await Wearable.connect({
    url,
    uid,
    codec: 'opus',
    rate: 16_000,
    conversationTimeout: 120,
    connectTimeout: 60_000,
  });
  await wearable.waitFor(({ status }) => status === 'ready', 60_000);
  const frames = encodeFrames({ pcm: dialogue.pcm, rate: 16_000 }, 'opus', 16_000);
  const began = await wearable.send(frames, 1);
  const until = realClock.now() + lastWords;
  while (realClock.now() < until && realClock.now() - (wearable.arrivals.at(-1)?.at ?? began) < lastSilence)
    await pause(100);
  const segments = [...wearable.transcript.segments];
  await wearable.close();
  const { turns } = dialogue;
  const lags = utteranceLags(turns, wearable.arrivals, began).filter((_, index) => turns[index]!.ends);
  return { lags, labels: turnLabels(turns, segments) };
};

const runOnce = async (dialogues: readonly Dialogue[], tellsVoices: boolean): Promise<Seen> => {
  const settings = loadSettings().values;
  const { directory } = await ensureModel(settings.transcriberModels[0]!, modelOptions(settings));
  const target = await startEngine({
    env: {
      COCHLEA_STT: 'provider',
      COCHLEA_MODELS_DIR: dirname(directory),
      SPEAKER_DIARIZATION: tellsVoices ? 'on' : 'off',
    },
  });
  try {
    // The results of the first conversation do not count, because it loads the models.
    const [first] = dialogues;
    await converse(target.url, 'first', { pcm: first!.pcm.subarray(0, 8 * 16_000), turns: [] });
    const before = readCpu(target.familyPid!);
    const seen = await Promise.all(
      dialogues.map(async (dialogue, index) => {
        // The people start at different times.
        await pause(index * 430);
        return converse(target.url, `wearer-${index}`, dialogue);
      }),
    );
    return {
      lags: seen.flatMap(({ lags }) => lags),
      labels: seen.map(({ labels }) => labels),
      cpu: cpuBetween(before, readCpu(target.familyPid!)),
      audio: dialogues.reduce((sum, { pcm }) => sum + pcm.length / 16_000, 0),
    };
  } finally {
    await target.stop();
  }
};

const rowOf = (mode: string, seen: readonly Seen[]): Row => {
  const lags = seen.flatMap((one) => one.lags);
  const sum = (of: (one: Seen) => number): number => seen.reduce((total, one) => total + of(one), 0);
  return {
    suite: 'speakers',
    contender: 'cochlea',
    stt: 'local',
    codec: 'opus',
    mode,
    streams: wearables,
    p50_segment_lag_ms: Math.round(percentile(lags, 50) ?? Number.NaN),
    p95_segment_lag_ms: Math.round(percentile(lags, 95) ?? Number.NaN),
    cpu_ms_per_stream_s: sum(({ cpu }) => cpu) / sum(({ audio }) => audio),
    seconds: Math.round(sum(({ audio }) => audio)),
  };
};

/**
 * Runs four wearables with two speakers each on a complete product, in real time. Measures whether labels are right.
 * Also measures what diarization costs, compared with the same product without diarization.
 */
export const runLiveSpeakers = async ({
  voices,
  seconds,
  tell,
  signal,
}: LiveSpeakersOptions): Promise<SpeakersOutcome> => {
  const found = await withVoices({ given: voices, least: 2 }, async ({ spoken }) => {
    const names = [...spoken.keys()];
    return Array.from({ length: wearables }, (_, index) => {
      const pair = [names[(2 * index) % names.length]!, names[(2 * index + 1) % names.length]!];
      const people = pair.map((name) => [name, spoken.get(name)!] as const);
      return dialogueOf(people, seconds, index);
    });
  });
  if ('skipped' in found) {
    const skipped = [{ suite: 'speakers', what: 'conversations', why: found.skipped }];
    return { results: [], selfNoise: [], skipped, versions: {}, bounds: [] };
  }
  const [told, untold]: [Seen[], Seen[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? [true, false] : [false, true];
    for (const tellsVoices of order) {
      signal?.throwIfAborted();
      tell?.(`round ${round + 1}: ${tellsVoices ? 'voices are told apart' : 'SPEAKER_DIARIZATION=off'}`);
      const seen = await runOnce(found.made, tellsVoices);
      const wrong = seen.labels.map((one) => `${one.wrong} of ${one.turns}`).join(', ');
      if (tellsVoices) tell?.(`turns with a wrong label: ${wrong}`);
      (tellsVoices ? told : untold).push(seen);
    }
  }
  const labels = told.flatMap((seen) => seen.labels);
  const turns = labels.reduce((sum, one) => sum + one.turns, 0);
  const wrong = labels.reduce((sum, one) => sum + one.wrong, 0);
  const results = [
    { ...rowOf('voices told apart', told), turns, speaker_confusion: wrong / turns },
    rowOf('SPEAKER_DIARIZATION=off', untold),
  ];
  const lagOf = ({ p95_segment_lag_ms }: Row): number => p95_segment_lag_ms!;
  const bounds: Bound[] = [
    {
      what: 'turns with a wrong label, of speakers who have spoken for 2 s',
      value: wrong / turns,
      most: mostWrong,
    },
    {
      what: 'p95 from the end of an utterance to its segment, part of that without labels',
      value: lagOf(results[0]!) / lagOf(results[1]!),
      most: mostLag,
    },
  ];
  return { results, selfNoise: [], skipped: [], versions: {}, bounds };
};
