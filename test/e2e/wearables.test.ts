/** Four concurrent wearables in real time, with different codecs and texts. */
import t from 'tap';
import { normaliseWords, wordError } from '../../src/app/sample/word-error.js';
import { encodeFrames, usualRate, type WearableCodec } from '../../src/app/wearable/encode.js';
import { percentile, utteranceLags } from '../../src/app/wearable/lag.js';
import { readBack, startService } from '../support/service.js';
import { fixtureUtterances, scene } from '../support/texts/speech.js';

const codecs: readonly WearableCodec[] = ['opus', 'pcm16', 'pcm8', 'opus_fs320'];

/** Silence around each utterance, in ms. */
const pauseBetween = 1200;

/** Utterances of each wearable, repeated for twenty seconds. */
const parts: readonly (readonly number[])[] = [[0], [2], [3], [1]];

/** Returns the words that occur in only one of the four texts. */
const ownWords = (index: number): Set<string> => {
  const of = (part: number): string[] =>
    parts[part]!.flatMap((utterance) => normaliseWords(fixtureUtterances[utterance]!.text));
  const others = new Set(parts.flatMap((_, part) => (part === index ? [] : of(part))));
  return new Set(of(index).filter((word) => word.length > 3 && !others.has(word)));
};

t.test('four people talk at once, and nobody gets the words of another', { timeout: 240_000 }, async (t) => {
  const service = await startService(t);
  const lags: (number | undefined)[] = [];
  const results = await Promise.all(
    codecs.map(async (codec, index) => {
      const user = await service.user(`wearer-${index}`);
      const once = await scene(parts[index]!, 0);
      const repeats = Math.round(20 / (once.pcm.length / once.rate + pauseBetween / 1000));
      const long = await scene(Array.from({ length: repeats }, () => parts[index]!).flat(), pauseBetween);
      const frames = encodeFrames(long, codec, usualRate(codec));
      const wearable = await service.wearable(user, {
        codec,
        rate: usualRate(codec),
        conversationTimeout: 10,
      });
      await wearable.waitFor((event) => event.status === 'ready', 60_000);
      const sentAt = await wearable.send(frames, 1);
      const created = await wearable.waitFor((event) => event.type === 'memory_created', 120_000);
      lags.push(...utteranceLags(long.labels, wearable.arrivals, sentAt));
      await wearable.close();
      const id = (created?.memory as { id: string } | undefined)?.id;
      const key = await service.developerKey(user.uid);
      return { codec, index, id, reference: long.text, stored: id ? await readBack(service, key, id) : null };
    }),
  );

  t.equal(new Set(results.map(({ id }) => id)).size, 4, 'four conversations');
  for (const { codec, index, id, reference, stored } of results) {
    t.ok(id, `${codec}: memory_created came`);
    const text = (stored?.transcript_segments ?? []).map((segment) => segment.text).join(' ');
    const words = new Set(normaliseWords(text));
    const own = ownWords(index);
    t.ok(
      [...own].filter((word) => words.has(word)).length >= own.size / 2,
      `${codec}: its own words are there`,
    );
    const foreign = parts.flatMap((_, part) => (part === index ? [] : [...ownWords(part)]));
    t.same(
      foreign.filter((word) => words.has(word)),
      [],
      `${codec}: no word of another`,
    );
    const { rate } = wordError(reference, text);
    // One difficult word is an eighth of the shortest text. The demo's test checks complete texts.
    t.ok(rate <= 0.3, `${codec}: word error ${rate.toFixed(3)}`);
  }
  t.notOk(lags.includes(undefined), 'every utterance was heard');
  t.comment(
    `lag from the labelled end of an utterance to its segment: p50 ${Math.round(percentile(lags, 50) ?? -1)} ms, ` +
      `p95 ${Math.round(percentile(lags, 95) ?? -1)} ms over ${lags.length} utterances`,
  );
});
