import t from 'tap';
import { VoiceHistory } from '../../../src/engine/voices/history.js';
import type { VoiceWindow } from '../../../src/transcript/voice-clusters.js';

const hop = 250;
const most = 200;

const window = (index: number, voice = 0, embedding = Float32Array.of(1, 0)): VoiceWindow => ({
  embedding,
  at: index * hop,
  pause: false,
  voice,
  sure: true,
});

const voicesIn = (history: VoiceHistory, from: number, to: number): number[] =>
  history.around(from * hop, to * hop).map(({ voice }) => voice);

t.test('stores each window once, with its latest voice', async (t) => {
  const history = new VoiceHistory(most);
  history.note([window(0), window(1), window(2)]);
  history.note([window(1), window(2, 1), window(3, 1)]);
  t.equal(history.length, 4);
  t.same(voicesIn(history, 0, 9), [0, 0, 1, 1]);
  history.move({ from: 1, to: 2 });
  t.same(voicesIn(history, 1, 2), [0, 2]);
});

t.test('limits the windows of a conversation of hours', async (t) => {
  const table: readonly { readonly what: string; readonly turn: number; readonly seen: number }[] = [
    { what: 'long turns: several windows as one, from the beginning on', turn: 64, seen: 0 },
    { what: 'a turn a window, which cannot be joined: the last ones', turn: 1, seen: 3000 - most },
  ];
  for (const { what, turn, seen } of table) {
    const history = new VoiceHistory(most);
    let longest = 0;
    const voiceOf = (index: number): number => Math.floor(index / turn) % 2;
    for (let index = 0; index < 3000; index++) {
      history.note([window(index, voiceOf(index))]);
      longest = Math.max(longest, history.length);
    }
    t.equal(longest, most, what);
    const found = history.around(0, 3000 * hop);
    t.equal(found[0]!.at, seen * hop, what);
    t.ok(
      found.every(({ at, voice }) => voice === voiceOf(Math.round(at / hop))),
      `${what}: every voice at its time`,
    );
  }
});

t.test('does not join windows across a pause, or those at the end that may change', async (t) => {
  const history = new VoiceHistory(most);
  for (let index = 0; index < 2 * most; index++) history.note([window(5 * index)]);
  t.equal(history.length, most);
  t.equal(history.around(0, 1e9).length, most, 'nothing was joined');
});

t.test('packs every window and adopts the revised labels', async (t) => {
  const history = new VoiceHistory(most);
  history.note([window(0, 0, Float32Array.of(0.6, 0.8)), window(1, 4, Float32Array.of(1, 0))]);
  const packed = history.pack([[4, 'user']], 5);
  t.match(packed, { count: 2, named: [[4, 'user']] });
  t.same([...packed.voices], [0, 4]);
  t.ok(Math.abs(packed.directions[0]! / packed.directions[1]! - 0.75) < 0.01);
  t.equal(history.adopt(Int32Array.of(0, 4)), false);
  t.equal(history.adopt(Int32Array.of(1, 4)), true);
  t.same(voicesIn(history, 0, 1), [1, 4]);
  t.equal(new VoiceHistory(most).pack([], 0).count, 0);
});
