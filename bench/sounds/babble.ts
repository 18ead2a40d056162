import { addAt, drawn, rate, reverberated } from './signals.js';

/** Changes the speed of a voice by linear interpolation. Its pitch changes, too. */
const stretched = (pcm: Int16Array, speed: number): Float64Array =>
  Float64Array.from({ length: Math.floor((pcm.length - 1) / speed) }, (_, index) => {
    const at = index * speed;
    const from = Math.floor(at);
    return (pcm[from]! + (at - from) * (pcm[from + 1]! - pcm[from]!)) / 32_768;
  });

/**
 * Makes babble: so many voices at once that no word is intelligible. Each voice has a different speed and a different
 * starting point. Every second babble has reverberation.
 * @param voices utterances at 16 kHz; only read.
 */
export const babble = (length: number, seed: number, voices: readonly Int16Array[]): Float64Array => {
  const draw = drawn(seed);
  const whole = new Float64Array(length);
  const count = Math.round(draw(10, 24));
  for (let voice = 0; voice < count; voice++) {
    const [speed, gain] = [draw(0.75, 1.35), draw(0.6, 1)];
    for (let at = -Math.round(draw(0, 8 * rate)), turn = Math.floor(draw(0, 100)); at < length; turn++) {
      const part = stretched(voices[turn % voices.length]!, speed);
      addAt(whole, at < 0 ? part.subarray(Math.min(part.length, -at)) : part, Math.max(0, at), gain);
      at += part.length + Math.round(draw(0.1, 0.8) * rate);
    }
  }
  return seed % 2 === 0 ? reverberated(whole, draw(0.4, 1.5), 0.7) : whole;
};
