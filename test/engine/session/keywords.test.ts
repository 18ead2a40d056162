/** Tests that every transcription request contains the custom words of the client and of the user. */
import t from 'tap';
import { FakeProvider } from '../support/fake-provider.js';
import { Harness, type HarnessOptions } from '../support/harness.js';

/** A shard whose provider only collects requests. */
const collecting = (words: readonly string[] | null, options: HarnessOptions = {}) => {
  const h = new Harness(options);
  h.provider.manual = true;
  h.journal.words = words;
  /** Speaks an utterance, and returns the custom words in its transcription request. */
  const asked = async (slot = 0): Promise<readonly string[] | undefined> => {
    h.say(slot, 7);
    await h.settle();
    return h.provider.held.at(-1)!.request.keywords;
  };
  return { h, asked };
};

t.test('words of the stream come first, then the words of the user', async (t) => {
  const { h, asked } = collecting(['Kubernetes', 'okafor', 'Ben']);
  await h.open(0, { keywords: ['Okafor', 'Ada'] });
  t.strictSame(await asked(), ['Okafor', 'Ada', 'Kubernetes', 'Ben']);
});

t.test('without words, a request has none', async (t) => {
  for (const words of [[], null]) {
    const { h, asked } = collecting(words);
    await h.open(0);
    t.equal(await asked(), undefined);
  }
});

t.test('uses the words of the stream while the database is away', async (t) => {
  const { h, asked } = collecting(null);
  await h.open(0, { keywords: ['Okafor'] });
  t.strictSame(await asked(), ['Okafor']);
});

t.test('a message replaces the words of its stream, and of no other stream', async (t) => {
  const { h, asked } = collecting(['Kubernetes']);
  await h.open(0, { keywords: ['Okafor'] });
  await h.open(1, { keywords: ['Ada'], source: 'desktop' });
  h.text(0, { type: 'keywords', words: [' Nadia ', 'nadia', 'Ben', ''] });
  await h.settle();
  t.strictSame(await asked(0), ['Nadia', 'Ben', 'Kubernetes']);
  t.strictSame(await asked(1), ['Ada', 'Kubernetes']);
  h.text(0, { type: 'keywords', words: [] });
  await h.settle();
  t.strictSame(await asked(0), ['Kubernetes'], 'an empty list removes the words of the stream');
  t.same(
    h.events(0, 'service_status').filter(({ status }) => status === 'message_refused'),
    [],
  );
});

t.test('interim requests and both sides of a call have the words', async (t) => {
  const local = new FakeProvider('local', ['en'], true);
  const { h } = collecting(['Kubernetes'], { providers: [local] });
  await h.open(0, {
    keywords: ['Okafor'],
    separateSides: true,
    format: { codec: 'pcm16', sampleRate: 8000, channels: 2 },
  });
  h.say(0, 7);
  await h.settle();
  t.ok(local.held.length > 0);
  for (const { request } of local.held) t.strictSame(request.keywords, ['Okafor', 'Kubernetes']);
});

t.test('refuses a list over a limit completely', async (t) => {
  const { h, asked } = collecting([]);
  await h.open(0, { keywords: ['Okafor'] });
  const wrong = [
    [new Array(101).fill('x'), 'too_many_words', 100],
    [['Ada', 'x'.repeat(51)], 'word_too_long', 50],
  ] as const;
  for (const [words, reason, limit] of wrong) {
    h.text(0, { type: 'keywords', words });
    await h.settle();
    t.match(h.events(0, 'service_status').at(-1), {
      status: 'message_refused',
      message_type: 'keywords',
      reason,
      limit,
    });
    t.strictSame(await asked(), ['Okafor']);
  }
});

t.test('a flood of messages reads the words of the user once for each utterance', async (t) => {
  let reads = 0;
  const words = new Proxy(['Kubernetes', 'Ben'], {
    get: (list, key) => {
      if (key === '0') reads++;
      return Reflect.get(list, key) as unknown;
    },
  });
  const { h, asked } = collecting(words);
  await h.open(0);
  reads = 0;
  for (let count = 0; count < 100; count++) h.text(0, { type: 'keywords', words: [`Ada ${count}`] });
  await h.settle();
  t.strictSame(await asked(), ['Ada 99', 'Kubernetes', 'Ben']);
  t.equal(reads, 1);
  t.strictSame(await asked(), ['Ada 99', 'Kubernetes', 'Ben']);
  t.equal(reads, 1, 'also for a later utterance');
});

t.test('ignores messages of another form', async (t) => {
  const { h, asked } = collecting([]);
  await h.open(0, { keywords: ['Okafor'] });
  const before = h.sent.length;
  for (const words of ['Ada', null, undefined, { 0: 'Ada' }, ['Ada', 7], [['Ada']]])
    h.text(0, { type: 'keywords', words });
  await h.settle();
  t.equal(h.sent.length, before);
  t.strictSame(await asked(), ['Okafor']);
});

t.test('a client that transcribes itself gets no words', async (t) => {
  const { h } = collecting(['Kubernetes']);
  let reads = 0;
  h.journal.keywords = async () => {
    reads++;
    return [];
  };
  await h.open(0, { customStt: true, keywords: ['Okafor'] });
  h.say(0, 7);
  await h.settle();
  t.equal(h.provider.held.length, 0);
  t.equal(reads, 0);
});
