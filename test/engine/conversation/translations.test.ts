/** Tests how a shard handles translations. Nothing waits for a translation, and a translation is never applied to another text. */
import { MessageChannel } from 'node:worker_threads';
import t from 'tap';
import {
  createTranslationChannel,
  type TranslatedConversation,
  type TranslationChannel,
} from '../../../src/engine/conversation/translation-channel.js';
import { MetricsTable } from '../../../src/metrics/metrics.js';
import type { ToTranslation, TranslatedSegment, UntranslatedSegment } from '../../../src/wire/translation.js';
import { Harness, type HarnessOptions } from '../support/harness.js';

class FakeChannel implements TranslationChannel {
  readonly held = new Map<string, TranslatedConversation>();
  readonly offered: UntranslatedSegment[] = [];
  readonly removed: string[] = [];
  readonly lateOnes: TranslatedSegment[] = [];
  left = 0;

  hold(id: string, conversation: TranslatedConversation): void {
    this.held.set(id, conversation);
  }

  leave(id: string): void {
    this.left++;
    this.held.delete(id);
  }

  offer(_id: string, segments: readonly UntranslatedSegment[], removed: readonly string[]): void {
    this.offered.push(...segments);
    this.removed.push(...removed);
  }

  late(_uid: string, _id: string, segments: readonly TranslatedSegment[]): void {
    this.lateOnes.push(...segments);
  }

  /** Answers the latest offered text with a translation. */
  answer(text: string, { id, text: source } = this.offered.at(-1)!): void {
    for (const conversation of this.held.values())
      conversation.translated([{ id, source, translation: { lang: 'de', text } }]);
  }
}

const multi = { language: 'multi', customStt: true };
const say = (h: Harness, text: string, start: number, speaker = 0): void =>
  h.text(0, {
    type: 'suggested_transcript',
    segments: [{ text, start, end: start + 1, speaker: `SPEAKER_0${speaker}`, speaker_id: speaker }],
  });

const opened = async (options: HarnessOptions = {}, wishes: object = multi) => {
  const channel = new FakeChannel();
  const h = new Harness({ translations: channel, ...options });
  await h.open(0, wishes);
  return { h, channel };
};

t.test('stores a translation, then sends it without the segment', async (t) => {
  const { h, channel } = await opened();
  say(h, 'Good morning.', 0);
  await h.tick();
  const [segment] = h.segments(0);
  t.same(channel.offered, [{ id: segment!.id, text: 'Good morning.' }]);
  const sent = h.metric('segments_sent_total');
  h.journal.hold();
  channel.answer('Guten Morgen.');
  const ticking = h.shard.tick();
  await h.settle();
  t.same(h.events(0, 'translation'), [], 'not before it is durable');
  h.journal.resume();
  await ticking;
  await h.settle();
  const translations = [{ lang: 'de', text: 'Guten Morgen.' }];
  t.same(h.events(0, 'translation'), [
    { type: 'translation', segments: [{ id: segment!.id, translations }] },
  ]);
  t.equal(h.metric('segments_sent_total'), sent);
  t.match(h.journal.commits.at(-1), [{ upserts: [{ segment: { translations }, revision: 2 }] }]);
  t.equal(channel.offered.length, 1, 'what has a translation is not offered again');
});

t.test(
  'removes the translation of a segment that grows or is absorbed, and requests a new one',
  async (t) => {
    const { h, channel } = await opened();
    say(h, 'Good morning.', 0);
    await h.tick();
    channel.answer('Guten Morgen.');
    await h.tick();
    const [first] = h.segments(0);
    say(h, 'How are you', 2);
    await h.tick();
    t.match(h.segments(0), [{ id: first!.id, text: 'Good morning. How are you', translations: [] }]);
    t.same(channel.offered.at(-1), { id: first!.id, text: 'Good morning. How are you' });
    channel.answer('Guten Morgen.', { id: first!.id, text: 'Good morning.' });
    await h.tick();
    t.equal(h.events(0, 'translation').length, 1, 'a translation of the text before is not used');
    channel.answer('Guten Morgen. Wie geht es dir');
    await h.tick();
    t.equal(h.events(0, 'translation').length, 2);
    say(h, 'and what are your plans for today?', 3, 1);
    await h.tick();
    t.match(
      h.segments(0).map(({ text, translations }) => [text, translations]),
      [
        ['Good morning.', []],
        ['How are you and what are your plans for today?', []],
      ],
    );
  },
);

t.test('sends complete segments with the older event name', async (t) => {
  const { h, channel } = await opened({ settings: { translationEvent: 'translating' } });
  say(h, 'Good morning.', 0);
  await h.tick();
  channel.answer('Guten Morgen.');
  await h.tick();
  t.match(h.events(0, 'translating'), [
    { segments: [{ text: 'Good morning.', speaker: 'SPEAKER_00', translations: [{ lang: 'de' }] }] },
  ]);
});

t.test('does not translate a stream with one language', async (t) => {
  const { h, channel } = await opened({}, { language: 'en', customStt: true });
  say(h, 'Good morning.', 0);
  await h.tick();
  t.same(channel.offered, []);
});

t.test('translations delay no other message', async (t) => {
  const story = async (translations?: TranslationChannel): Promise<string[]> => {
    const h = new Harness(translations ? { translations } : {});
    await h.open(0, multi);
    for (let index = 0; index < 5; index++) {
      say(h, `This is sentence number ${index}.`, 10 * index);
      await h.tick();
    }
    h.close(0);
    await h.tick();
    return h.story(0);
  };
  const without = await story();
  t.same(await story(new FakeChannel()), without, 'one that never answers');
  const { port1, port2 } = new MessageChannel();
  t.teardown(() => port2.close());
  port1.close();
  const metrics = new MetricsTable(1).row(0);
  t.same(await story(createTranslationChannel(port1, { metrics, now: () => 0 })), without, 'one that ended');
});

t.test('passes translations that arrive after the end to the storing process', async (t) => {
  const { h, channel } = await opened();
  say(h, 'Good morning.', 0);
  await h.tick();
  const [conversation] = channel.held.values();
  const { id, text: source } = channel.offered[0]!;
  const one = { id, source, translation: { lang: 'de', text: 'Guten Morgen.' } };
  h.journal.hold();
  conversation!.translated([one]);
  h.close(0);
  h.journal.resume();
  await h.tick();
  t.equal(channel.left, 1);
  t.equal(channel.lateOnes.length, 0, 'what came before the end is stored with it');
  const { h: other, channel: its } = await opened();
  say(other, 'Good morning.', 0);
  await other.tick();
  its.answer('Guten Tag.', { id: 'unknown', text: 'Good day.' });
  await other.tick();
  t.match(its.lateOnes, [{ id: 'unknown' }], 'segments that are not remembered');
});

t.test(
  'limits unread messages of the channel, and sends nothing for a user without translations',
  async (t) => {
    const { port1, port2 } = new MessageChannel();
    t.teardown(() => port2.close());
    t.teardown(() => port1.close());
    const got: ToTranslation[] = [];
    port2.on('message', (message: ToTranslation) => got.push(message));
    const table = new MetricsTable(1);
    const clock = { now: 0 };
    const channel = createTranslationChannel(port1, { metrics: table.row(0), now: () => clock.now });
    const taken: TranslatedSegment[] = [];
    const conversation = {
      uid: 'ann',
      translated: (segments: readonly TranslatedSegment[]) => void taken.push(...segments),
    };
    channel.hold('c', conversation);
    const settle = () => new Promise((resolve) => setTimeout(resolve, 50));
    for (let index = 0; index < 1100; index++) channel.offer('c', [{ id: `${index}`, text: 'Hola.' }], []);
    t.equal(table.total('translations_dropped_total'), 100);
    await settle();
    t.equal(got.length, 1000);
    port2.postMessage({ kind: 'read', messages: 1000 });
    port2.postMessage({ kind: 'unwanted', conversation: 'c' });
    await settle();
    channel.offer('c', [{ id: '1', text: 'Hola.' }], []);
    clock.now = 60_001;
    channel.offer('c', [{ id: '2', text: 'Hola.' }], []);
    await settle();
    t.match(got.slice(1000), [{ segments: [{ id: '2' }] }], 'after a while it is asked again');
    const segments = [{ id: '2', source: 'Hola.', translation: { lang: 'en', text: 'Hello.' } }];
    port2.postMessage({ kind: 'translated', uid: 'ann', conversation: 'c', segments });
    await settle();
    t.same(taken, segments);
    channel.leave('c');
    port2.postMessage({ kind: 'translated', uid: 'ann', conversation: 'c', segments });
    await settle();
    t.match(got.slice(-2), [{ kind: 'left' }, { kind: 'late', uid: 'ann', segments }]);
  },
);
