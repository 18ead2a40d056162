import { pinkNoise } from '../../src/audio/pink-noise.js';
import { generators } from '../sounds/generated.js';
import { addAt, bandPass, drawn, rate, white } from '../sounds/signals.js';

/** Seconds of a scene: the time that a wearer spends in one place. */
const sceneSeconds = 30;
/** Level of speech in dB, relative to full scale (root mean square). */
const speechLevel = -26;
/** Share of the time with speech in a scene in which people talk. */
const talk = 0.7;
/** Shortest and longest pause in seconds between two speaker turns. */
const pauses = [0.3, 4] as const;

/** Makes the rubbing of clothes on a microphone: short bursts of noise in changing bands. */
const rustling = (length: number, seed: number): Float64Array => {
  const draw = drawn(seed);
  const whole = new Float64Array(length);
  for (let at = 0; at < length; at += Math.round(rate * draw(0.05, 2))) {
    const count = Math.round(rate * draw(0.08, 0.6));
    const strokes = draw(4, 20);
    const burst = bandPass(white(count, seed + at), draw(400, 5000), draw(0.4, 1.5)).map(
      (value, index) =>
        value * Math.sin((Math.PI * index) / count) * (1 + 0.8 * Math.sin((strokes * index) / rate)),
    );
    addAt(whole, burst, at, draw(0.2, 1));
  }
  return whole;
};

type Make = (length: number, seed: number) => Float64Array;

interface Place {
  /** Level of the place's sound in dB, relative to full scale; absent in a muted wearable, which sends digital silence. */
  readonly level?: number;
  readonly make: Make;
}

const places = {
  'quiet room': { level: -72, make: pinkNoise },
  office: { level: -58, make: pinkNoise },
  household: { level: -48, make: generators.household! },
  wind: { level: -40, make: generators.wind! },
  music: { level: -42, make: generators.music! },
  rustling: { level: -44, make: rustling },
  hall: { level: -52, make: generators.reverberant! },
  street: { level: -46, make: generators.noise! },
  muted: { make: (length) => new Float64Array(length) },
} as const satisfies Record<string, Place>;

/**
 * Scenes of ten minutes. In those with `true`, people talk. The proportions are an assumption: wearables are mostly in
 * quiet places, and speech takes a quarter of the time.
 */
const scenes: readonly (readonly [keyof typeof places, boolean])[] = [
  ['quiet room', false],
  ['office', true],
  ['office', false],
  ['household', true],
  ['quiet room', false],
  ['rustling', false],
  ['wind', true],
  ['street', false],
  ['quiet room', true],
  ['quiet room', false],
  ['hall', true],
  ['muted', false],
  ['music', false],
  ['household', false],
  ['music', true],
  ['quiet room', false],
  ['office', true],
  ['office', false],
  ['rustling', true],
  ['quiet room', false],
];

/** Length in seconds of the audio before it repeats. */
export const daySeconds = scenes.length * sceneSeconds;

/** Positions of a speaker turn in samples at 16 kHz. */
export interface Turn {
  readonly start: number;
  readonly end: number;
}

const gainTo = (signal: ArrayLike<number>, level: number): number => {
  let sum = 0;
  for (let index = 0; index < signal.length; index++) sum += signal[index]! ** 2;
  return 10 ** (level / 20) / Math.sqrt(sum / signal.length || 1);
};

/** Returns the positions of the speaker turns in all scenes with speech. Their utterances follow each other in order. */
const turnsOf = (utterances: readonly Int16Array[]): (Turn & { readonly utterance: number })[] => {
  const draw = drawn(47);
  const length = sceneSeconds * rate;
  let utterance = 0;
  return scenes.flatMap(([, talks], scene) => {
    if (!talks) return [];
    const turns: (Turn & { utterance: number })[] = [];
    let spoken = 0;
    for (let at = Math.round(draw(0.5, 4) * rate); spoken < talk * length; utterance++) {
      const samples = utterances[utterance % utterances.length]!.length;
      if (at + samples > length) break;
      turns.push({ start: scene * length + at, end: scene * length + at + samples, utterance });
      spoken += samples;
      at += samples + Math.round(draw(...pauses) * rate);
    }
    return turns;
  });
};

/**
 * Makes the audio of a wearer's day: places with their sounds, and speech for a quarter of the time, in turns.
 * @param utterances speech at 16 kHz.
 * @returns samples at 16 kHz, `daySeconds` long, and the positions of the speaker turns.
 */
export const wearerDay = (
  utterances: readonly Int16Array[],
): { readonly pcm: Int16Array; readonly turns: readonly Turn[] } => {
  const length = sceneSeconds * rate;
  const whole = new Float64Array(scenes.length * length);
  for (const [scene, [name]] of scenes.entries()) {
    const { level, make }: Place = places[name];
    if (level === undefined) continue;
    const sound = make(length, scene + 1);
    addAt(whole, sound, scene * length, gainTo(sound, level));
  }
  const turns = turnsOf(utterances);
  for (const { start, utterance } of turns) {
    const pcm = utterances[utterance % utterances.length]!;
    addAt(whole, pcm, start, gainTo(pcm, speechLevel));
  }
  const pcm = Int16Array.from(whole, (value) =>
    Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768))),
  );
  return { pcm, turns: turns.map(({ start, end }) => ({ start, end })) };
};
