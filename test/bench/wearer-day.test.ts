/** Tests the sound of a wearer's day that `bench day` sends. */
import t from 'tap';
import { readUtterances } from '../../bench/packets/materials.js';
import { daySeconds, wearerDay } from '../../bench/packets/wearer-day.js';

const rate = 16_000;
const loudest = (pcm: Int16Array): number => pcm.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

t.test('a wearer-day has speech for a quarter of the time, in turns', async (t) => {
  const utterances = await readUtterances();
  const { pcm, turns } = wearerDay(utterances);
  t.equal(pcm.length, daySeconds * rate);
  const spoken = turns.reduce((sum, { start, end }) => sum + end - start, 0);
  t.ok(
    spoken / pcm.length > 0.22 && spoken / pcm.length < 0.28,
    `${((100 * spoken) / pcm.length).toFixed(1)} %`,
  );
  for (const [number, { start, end }] of turns.entries()) {
    const before = turns[number - 1]?.end ?? 0;
    t.ok(start > before && end <= pcm.length, `turn ${number} follows the one before`);
    t.equal(end - start, utterances[number % utterances.length]!.length, 'an utterance is whole');
    t.ok(loudest(pcm.subarray(start, end)) > 3000, 'the speech is audible');
  }
  const seconds = Array.from({ length: daySeconds }, (_, second) => second * rate);
  t.ok(
    seconds.some((at) => loudest(pcm.subarray(at, at + rate)) === 0),
    'a muted wearable sends digital silence',
  );
});
