import { pinkNoise } from '../../src/audio/pink-noise.js';
import { addAt, bandPass, drawn, rate, reverberated, white } from './signals.js';

/** Function that makes a sound of `length` samples. The same seed gives the same sound. */
type Make = (length: number, seed: number) => Float64Array;

/** Makes a struck or blown note. Higher harmonics fade faster. */
const note = (hertz: number, seconds: number, brightness: number, decay: number): Float64Array =>
  Float64Array.from({ length: Math.round(seconds * rate) }, (_, index) => {
    const time = index / rate;
    let value = 0;
    for (let harmonic = 1; harmonic <= 8 && harmonic * hertz < rate / 2; harmonic++)
      value +=
        brightness ** (harmonic - 1) *
        Math.exp(-time * decay * harmonic) *
        Math.sin(2 * Math.PI * harmonic * hertz * time);
    return value * Math.min(1, time / 0.01) * Math.min(1, (seconds - time) / 0.02);
  });

const pitch = (semitones: number): number => 220 * 2 ** (semitones / 12);

/** Makes music: four chords and a melody in their scale. Every second piece also has drums. */
const music: Make = (length, seed) => {
  const draw = drawn(seed);
  const whole = new Float64Array(length);
  const beat = draw(0.28, 0.6);
  const [brightness, decay] = [draw(0.3, 0.8), draw(0.5, 4)];
  const scale = draw(0, 1) < 0.5 ? [0, 2, 4, 5, 7, 9, 11] : [0, 2, 3, 5, 7, 8, 10];
  const step = (degree: number): number => scale[degree % 7]! + 12 * Math.floor(degree / 7);
  const key = Math.round(draw(-5, 6));
  const chords = [0, 5, 3, 4];
  for (let count = 0; count * beat * rate < length; count++) {
    const at = Math.round(count * beat * rate);
    const root = chords[Math.floor(count / 4) % 4]!;
    if (count % 4 === 0)
      for (const interval of [0, 2, 4])
        addAt(whole, note(pitch(key - 12 + step(root + interval)), 4 * beat, brightness, decay / 3), at, 0.4);
    const degree = root + Math.floor(draw(0, 8));
    addAt(whole, note(pitch(key + step(degree)), beat * draw(0.6, 1.8), brightness, decay), at, draw(0.4, 1));
    if (seed % 2 === 1) {
      const hit = white(Math.round(0.12 * rate), seed + count).map((v, i) => v * Math.exp(-i / 400));
      addAt(whole, hit, at, count % 2 === 0 ? 0.3 : 0.8);
    }
  }
  return whole;
};

/** Makes a singer without words: a gliding pulse train with vibrato, filtered by the formants of vowels. */
const humming: Make = (length, seed) => {
  const draw = drawn(seed);
  const pulses = new Float64Array(length);
  let [phase, base, next] = [0, draw(110, 330), 0];
  let wanted = base;
  for (let index = 0; index < length; index++) {
    if (index >= next) {
      wanted = pitch(Math.round(draw(-12, 8)));
      next = index + rate * draw(0.3, 1.5);
    }
    base += (wanted - base) / 1500;
    phase += (base * (1 + 0.01 * Math.sin((2 * Math.PI * 5.5 * index) / rate))) / rate;
    if (phase >= 1) {
      phase -= 1;
      pulses[index] = 1;
    }
  }
  const vowel = draw(0, 1) < 0.5 ? [700, 1150, 2600] : [320, 900, 2300];
  const out = new Float64Array(length);
  for (const formant of vowel) addAt(out, bandPass(pulses, formant, 9), 0);
  return out;
};

const coloured: readonly ((length: number, seed: number) => Float64Array)[] = [
  white,
  pinkNoise,
  (length, seed) => {
    let value = 0;
    return white(length, seed).map((next) => {
      value = 0.98 * value + 0.02 * next;
      return value;
    });
  },
  (length, seed) => {
    const slow = bandPass(white(length, seed + 1), 20, 1);
    return pinkNoise(length, seed).map((value, index) => value * (0.3 + 12 * Math.abs(slow[index]!)));
  },
];

const noise: Make = (length, seed) => coloured[seed % coloured.length]!(length, seed);

/** Makes wind: noise in a frequency band whose centre and strength change slowly. */
const wind: Make = (length, seed) => {
  const draw = drawn(seed);
  const speeds = [draw(0.05, 0.2), draw(0.2, 0.6), draw(0.6, 2)];
  const phases = speeds.map(() => draw(0, 6));
  const gust = (index: number): number =>
    speeds.reduce((sum, speed, at) => sum + Math.sin((2 * Math.PI * speed * index) / rate + phases[at]!), 0) /
    3;
  const whistle = bandPass(white(length, seed), (index) => 450 * 2 ** gust(index), draw(1, 12));
  const rumble = bandPass(white(length, seed + 1), 90, 0.7);
  return whistle.map((value, index) => (value + rumble[index]!) * (1.1 + gust(index)) ** 2);
};

/** Sounds of dishes, water, cupboards and chairs. Each has a frequency band in Hz, and the quality of its resonance. */
const resonances = [
  { band: [300, 3000], quality: [15, 80] },
  { band: [1500, 5000], quality: [1, 4] },
  { band: [60, 300], quality: [15, 80] },
  { band: [400, 1800], quality: [1, 4] },
] as const;

/** Makes sounds of a household: strokes on resonant things, water, motors, and scraping. */
const household: Make = (length, seed) => {
  const draw = drawn(seed);
  const whole = new Float64Array(length);
  const motor = draw(45, 240);
  const isMotor = seed % 3 === 0;
  for (let at = 0; at < length; at += Math.round(rate * draw(0.05, 1.2))) {
    const kind = Math.floor(draw(0, 4));
    const count = Math.round(rate * [0.3, 0.9, 0.15, 0.6][kind]! * draw(0.5, 1.5));
    const raw = white(count, seed * 1000 + at);
    const shaped = raw.map((value, index) =>
      kind === 1 || kind === 3
        ? value * Math.sin((Math.PI * index) / count)
        : index < 20
          ? value
          : value * 0.01,
    );
    const { band, quality } = resonances[kind]!;
    addAt(whole, bandPass(shaped, draw(band[0], band[1]), draw(quality[0], quality[1])), at, draw(0.5, 3));
  }
  if (isMotor)
    for (let index = 0; index < length; index++)
      whole[index]! +=
        0.2 * Math.tanh(3 * Math.sin((2 * Math.PI * motor * index) / rate)) + 0.02 * draw(-1, 1);
  return whole;
};

/** Makes tones: signals of telephones, alarms, sweeps, engines. */
const tones: Make = (length, seed) => {
  const draw = drawn(seed);
  const whole = new Float64Array(length);
  const [low, high, on, off] = [draw(200, 900), draw(900, 3000), draw(0.05, 1), draw(0.05, 2)];
  let phase = 0;
  for (let index = 0; index < length; index++) {
    const time = index / rate;
    const sweep = seed % 4 === 0 ? (time / 3) % 1 : Math.floor(time / on) % 2;
    phase += (low + (high - low) * sweep) / rate;
    const isOn = seed % 4 === 1 || time % (on + off) < on;
    const value = seed % 4 === 3 ? (phase % 1) - 0.5 : Math.sin(2 * Math.PI * phase);
    whole[index] = isOn ? value : 0;
  }
  return whole;
};

/** Makes the sounds of a household and distant motors with long reverberation, as in halls and staircases. */
const reverberant: Make = (length, seed) => {
  const draw = drawn(seed);
  const whole = household(length, 3 * seed + 1);
  addAt(whole, pinkNoise(length, seed), 0, draw(0.005, 0.05));
  return reverberated(whole, draw(0.4, 2.5), draw(0.5, 0.95));
};

/** Functions that make sounds without words, by kind of sound. */
export const generators: Readonly<Record<string, Make>> = {
  music,
  humming,
  noise,
  wind,
  household,
  tones,
  reverberant,
};
