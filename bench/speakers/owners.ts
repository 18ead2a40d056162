import { addPinkNoise } from '../../src/audio/pink-noise.js';
import type { JobsPool } from '../../src/engine/voices/jobs-pool.js';
import { speakerModel } from '../../src/models/speaker-model.js';
import { matchVoice } from '../../src/transcript/voice-match.js';
import { cosine } from '../../src/transcript/voice-vectors.js';
import type { Labeller } from './label.js';

const rate = 16_000;
const { rule } = speakerModel('ge2e');
/** Signal-to-noise ratio of noisy recordings, in dB. */
const noiseRatio = 15;
/** Seed of a noise that no profile contains. */
const noiseSeed = 1000;

/** Pairs of conditions: first of the recording for the profile, then of the later speech. */
const conditions = [
  ['clean', 'clean'],
  ['noise', 'noise'],
  ['clean', 'noise'],
] as const;
type Condition = (typeof conditions)[number][number];

export interface OwnerVoices {
  /**
   * Long recordings by person. Each person is enrolled once, and the profile is compared with the speech of all other
   * people.
   */
  readonly owners: ReadonlyMap<string, Int16Array>;
  /** Recordings of other people. */
  readonly others: readonly Int16Array[];
}

/**
 * Results of all trials with equal conditions. `enrolled` is the seconds of enrolled speech, `spoken` the seconds of
 * later speech.
 */
export interface OwnerTrials {
  readonly enrolled: number;
  readonly spoken: number;
  readonly condition: string;
  readonly misses: number;
  readonly own: number;
  readonly falseAccepts: number;
  readonly strange: number;
}

interface Spoken {
  readonly owner: string | null;
  readonly voice: Float32Array;
}

const inCondition = (pcm: Int16Array, condition: Condition, seed: number): Int16Array =>
  condition === 'clean' ? pcm : addPinkNoise(pcm, pcm, noiseRatio, seed);

/** Splits a recording into pieces. Each piece contains `seconds` seconds of speech. */
const piecesOf = async (pcm: Int16Array, seconds: number, labeller: Labeller): Promise<Int16Array[]> => {
  const pieces: Int16Array[] = [];
  let from = 0;
  let speech = 0;
  for (const [start, end] of await labeller.speechIn(pcm)) {
    let at = start;
    while (speech + end - at >= seconds * rate) {
      at += seconds * rate - speech;
      pieces.push(pcm.subarray(from, at));
      from = at;
      speech = 0;
    }
    speech += end - at;
  }
  return pieces;
};

/**
 * Counts how often a profile misses its owner, and how often it matches other people. A profile is made as after an
 * upload, from the first half of a recording. Later speech passes through Opus, the gate and the jobs pool. The rule of
 * the engine compares this speech with the profile.
 */
export const ownerTrials = async (
  { owners, others }: OwnerVoices,
  { labeller, pool, signal }: { labeller: Labeller; pool: JobsPool; signal: AbortSignal | undefined },
): Promise<OwnerTrials[]> => {
  const trials: OwnerTrials[] = [];
  const profiles = new Map<string, readonly Float32Array[]>();
  for (const enrolled of [4, 8, 16]) {
    for (const [owner, pcm] of owners) {
      const [recording] = await piecesOf(pcm.subarray(0, pcm.length / 2), enrolled, labeller);
      if (recording === undefined) continue;
      for (const condition of ['clean', 'noise'] as const) {
        signal?.throwIfAborted();
        const noisy = inCondition(recording, condition, noiseSeed);
        const { embeddings } = await pool.enrolVoice(noisy.slice());
        profiles.set(`${owner} ${enrolled} ${condition}`, embeddings);
      }
    }
  }
  for (const seconds of [1.6, 4]) {
    for (const condition of ['clean', 'noise'] as const) {
      const spoken: Spoken[] = [];
      const add = async (owner: string | null, piece: Int16Array): Promise<void> => {
        signal?.throwIfAborted();
        const seed = noiseSeed + 1 + spoken.length;
        const voice = await labeller.voice(inCondition(piece, condition, seed));
        if (voice !== undefined) spoken.push({ owner, voice });
      };
      for (const [owner, pcm] of owners) {
        const pieces = await piecesOf(pcm.subarray(pcm.length / 2), seconds, labeller);
        for (const piece of pieces.slice(0, 12)) await add(owner, piece);
      }
      for (const other of others) {
        const [piece] = await piecesOf(other, seconds, labeller);
        if (piece !== undefined) await add(null, piece);
      }
      for (const [enrolledIn, spokenIn] of conditions) {
        if (spokenIn !== condition) continue;
        for (const enrolled of [4, 8, 16]) {
          const counts = { misses: 0, own: 0, falseAccepts: 0, strange: 0 };
          for (const owner of owners.keys()) {
            const embeddings = profiles.get(`${owner} ${enrolled} ${enrolledIn}`);
            if (embeddings === undefined) continue;
            for (const { owner: speaker, voice } of spoken) {
              const candidates = embeddings.map((known) => ({
                person: owner,
                similarity: cosine(known, voice),
              }));
              // The engine compares no speech that is shorter than this minimum. The bench reports the minimum as the
              // length of shorter speech, to show results of shorter speech, too.
              const speech = Math.max(rule.minimumSpeech, 1000 * seconds);
              const known = matchVoice(candidates, speech, rule).kind === 'match';
              if (speaker === owner) {
                counts.own++;
                if (!known) counts.misses++;
              } else {
                counts.strange++;
                if (known) counts.falseAccepts++;
              }
            }
          }
          const shown = enrolledIn === spokenIn ? enrolledIn : `${spokenIn} against ${enrolledIn}`;
          trials.push({ enrolled, spoken: seconds, condition: shown, ...counts });
        }
      }
    }
  }
  return trials;
};
