/** Makes sounds without words. They are the same on every run. */

export type Noise = (samples: number) => Int16Array;

const rate = 16_000;

/** Returns a xorshift generator of uniform numbers from -1 to 1. */
const uniform = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 2 ** 31;
  };
};

const sampled = (value: (time: number) => number): Noise => {
  return (samples) =>
    Int16Array.from({ length: samples }, (_, index) => Math.round(value(index / rate) * 32_767));
};

const tone = (...hertz: number[]): Noise =>
  sampled(
    (time) => hertz.reduce((sum, one) => sum + Math.sin(2 * Math.PI * one * time), 0) / (4 * hertz.length),
  );

const white = (level: number, seed: number): Noise => {
  const random = uniform(seed);
  return sampled(() => level * random());
};

/** Returns brown noise: white noise that passed a leaky integrator. */
const brown = (seed: number): Noise => {
  const random = uniform(seed);
  let value = 0;
  return sampled(() => {
    value = 0.98 * value + 0.02 * random();
    return value;
  });
};

export const noises = {
  silence: sampled(() => 0),
  'a constant offset': sampled(() => 0.1),
  'quiet hiss': white(0.003, 1),
  'loud hiss': white(0.3, 2),
  rumble: brown(3),
  'a tone': tone(440),
  hum: tone(50, 100, 150),
  'a chord': tone(262, 330, 392),
  clicks: sampled((time) => (time % 0.25 < 0.001 ? 0.8 : 0)),
} satisfies Record<string, Noise>;
