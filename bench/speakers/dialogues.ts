import type { Label } from '../../src/app/wearable/lag.js';

/** One speaker's turn in a dialogue of two people. */
export interface Turn extends Label {
  readonly speaker: string;
  /** Ms for which this speaker has spoken in earlier turns. */
  readonly before: number;
  /** Whether the pause after the turn is long enough to end the utterance. */
  readonly ends: boolean;
}

/** Samples at 16 kHz of two people who speak alternately. */
export interface Dialogue {
  readonly pcm: Int16Array;
  readonly turns: readonly Turn[];
}

/** A recording of one voice, and the ranges of its samples that contain speech. */
export interface SpokenVoice {
  readonly pcm: Int16Array;
  readonly speech: readonly (readonly [from: number, to: number])[];
}

const rate = 16_000;
const samplesPerMs = rate / 1000;
/** Minimum and maximum ms of speech in a turn. Lengths between them are equally likely. */
const turnLength = { least: 2000, most: 7000 } as const;
/**
 * Minimum and maximum ms of silence after a turn. `short` follows the turns of the first person, because the second
 * person answers at once. `ending` follows the turns of the second person, and ends the utterance.
 */
const pauses = { ending: { least: 900, most: 1500 }, short: { least: 100, most: 400 } } as const;
/** Maximum ms of silence within a turn. A longer silence would end the utterance. */
const mostWithin = 250;

/**
 * Returns a function that draws numbers from 0 to 1 (Park and Miller's minimal standard generator). The same seed gives
 * the same numbers.
 */
const seeded = (seed: number) => {
  let state = seed + 1;
  return (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

/**
 * Returns ranges of a voice's samples that together contain `length` of speech. They begin at `place` and have no long
 * pauses. `next` is the position after the last range.
 */
const partsFrom = (
  { speech }: SpokenVoice,
  place: number,
  length: number,
): { parts: (readonly [number, number])[]; next: number } => {
  const parts: (readonly [number, number])[] = [];
  let samples = 0;
  let next = place;
  while (samples < length) {
    const [from, to] = speech[next % speech.length]!;
    const gap = next % speech.length === 0 ? 0 : from - speech[(next - 1) % speech.length]![1];
    if (parts.length > 0) {
      const within = Math.min(Math.max(gap, 0), mostWithin * samplesPerMs);
      parts.push([from - within, to]);
      samples += to - from + within;
    } else {
      parts.push([from, to]);
      samples += to - from;
    }
    next++;
  }
  return { parts, next };
};

/**
 * Makes a dialogue of two people who speak alternately.
 * @param seconds minimum length of the dialogue.
 * @param seed determines where the recordings begin, and the lengths of turns and pauses.
 */
export const dialogueOf = (
  people: readonly (readonly [name: string, voice: SpokenVoice])[],
  seconds: number,
  seed: number,
): Dialogue => {
  const draw = seeded(seed);
  const between = ({ least, most }: { readonly least: number; readonly most: number }): number =>
    Math.round(least + (most - least) * draw()) * samplesPerMs;
  const places = people.map(([, { speech }]) => Math.floor(draw() * speech.length));
  const spoken = people.map(() => 0);
  const pieces: Int16Array[] = [new Int16Array(rate)];
  const turns: Turn[] = [];
  let at = rate;
  for (let number = 0; at < seconds * rate; number++) {
    const who = number % people.length;
    const [speaker, voice] = people[who]!;
    const { parts, next } = partsFrom(voice, places[who]!, between(turnLength));
    places[who] = next;
    const speechStart = at / samplesPerMs;
    for (const [from, to] of parts) {
      pieces.push(voice.pcm.subarray(from, to));
      at += to - from;
    }
    const ends = number % 2 === 1;
    turns.push({ speaker, before: spoken[who]!, speechStart, speechEnd: at / samplesPerMs, ends });
    spoken[who]! += at / samplesPerMs - speechStart;
    const silence = between(ends ? pauses.ending : pauses.short);
    pieces.push(new Int16Array(silence));
    at += silence;
  }
  pieces.push(new Int16Array(2 * rate));
  const pcm = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    pcm.set(piece, offset);
    offset += piece.length;
  }
  return { pcm, turns };
};
