/** Tests the limit on the work that a client's texts cause in its shard, and the errors for texts beyond the limit. */
import fc from 'fast-check';
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { HeldImages } from '../../../src/engine/images/held-images.js';
import { readText, textToKeep } from '../../../src/engine/session/client-text.js';
import { TextBacklog } from '../../../src/engine/session/text-backlog.js';
import { UnreadTexts } from '../../../src/engine/session/unread-texts.js';
import { RecordKind } from '../../../src/ring/layout.js';
import { Harness } from '../support/harness.js';

const limits = { maxText: 65_536, maxImageChunk: 1_048_576 };
const base64 = 'iVBORw0KGgo\\/A+b='.repeat(20_000);
const image = { type: 'image_chunk', id: 'photo', index: 0, total: 2 };
const brackets = (count: number): Buffer => Buffer.from('['.repeat(count));

const suggestion = (text: string, padding = 0): object => ({
  type: 'suggested_transcript',
  stt_provider: 'mine',
  segments: [{ text, start: 0, end: 1 }],
  padding: 'x'.repeat(padding),
});

t.test('reads valid texts and refuses others before parsing', async (t) => {
  const padded = (text: string, length: number): Buffer =>
    Buffer.from(text + ' '.repeat(length - text.length));
  const table: readonly {
    readonly name: string;
    readonly bytes: Buffer;
    readonly gives?: unknown;
    readonly deep?: true;
    readonly closes?: true;
  }[] = [
    { name: 'a text at the limit', bytes: padded('{"a":1}', 65_536), gives: { a: 1 } },
    { name: 'a text over it', bytes: padded('{"a":1}', 65_537), closes: true },
    { name: 'a flood of open brackets', bytes: brackets(65_536), deep: true },
    { name: 'a flood of braces', bytes: Buffer.from('{"a":'.repeat(13_000)), deep: true },
    { name: 'brackets over the limit', bytes: brackets(65_537), closes: true },
    {
      name: 'brackets within words',
      bytes: Buffer.from(JSON.stringify({ text: '[{\\"'.repeat(4000) })),
      gives: { text: '[{\\"'.repeat(4000) },
    },
    { name: 'a string without an end', bytes: Buffer.from(`["${'\\"['.repeat(1000)}`), gives: undefined },
    {
      name: 'an image',
      bytes: Buffer.from(JSON.stringify({ ...image, data: base64 })),
      gives: { ...image, data: 'x' },
    },
    {
      name: 'an image whose members are sorted',
      bytes: Buffer.from(`{ "data" : "${base64}", "id":"photo","index":0,"total":2,"type":"image_chunk"}`),
      gives: { ...image, data: 'x' },
    },
    {
      name: 'a large message of another type',
      bytes: Buffer.from(JSON.stringify({ type: 'x', data: base64 })),
      closes: true,
    },
    {
      name: 'brackets that call themselves an image',
      bytes: Buffer.from(`{"type":"image_chunk","data":${'['.repeat(100_000)}`),
      closes: true,
    },
    {
      name: 'brackets behind the data of an image',
      bytes: Buffer.from(`{"type":"image_chunk","data":"AA","x":${'['.repeat(100_000)}`),
      closes: true,
    },
    {
      name: 'an image whose name of the data is far behind white space',
      bytes: Buffer.from(`{"type":"image_chunk","data"${' '.repeat(500_000)}:"AA"}`),
      closes: true,
    },
    {
      name: 'an image over its own limit',
      bytes: Buffer.from(JSON.stringify({ ...image, data: base64.repeat(4) })),
      closes: true,
    },
  ];
  for (const { name, bytes, gives, deep, closes } of table) {
    if (closes) {
      t.throws(() => textToKeep(bytes, limits), { code: 'text_too_large', entry: { close: 1009 } }, name);
      continue;
    }
    const text = readText(textToKeep(bytes, limits));
    if (deep) t.equal(text, null, name);
    else if (gives === undefined) t.throws(() => JSON.parse(text!), name);
    else t.same(JSON.parse(text!), gives, name);
  }
});

t.test('reads the values of a message unchanged, unless it is nested too deeply', async (t) => {
  const depth = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 20 }), fc.boolean(), (value, long) => {
      const text = JSON.stringify(value) + (long ? ' '.repeat(1024) : '');
      const read = readText(Buffer.from(text));
      return long && depth(value) > 16 ? read === null : read === text;
    }),
    { numRuns: 300 },
  );
  t.pass('held for 300 values');
});

t.test('reads a flood of texts slowly and in order, then ends only that stream', async (t) => {
  const h = new Harness();
  await h.open(0, { customStt: true, uid: 'flooder' });
  await h.open(1, { customStt: true, uid: 'other' });
  const message = suggestion('Words.', 30_000);
  const price = JSON.stringify(message).length + 256;
  const { textsReadBurst, textsUnread, textsReadRate } = fixedLimits;
  const atOnce = Math.floor(textsReadBurst.value / price);
  for (let count = 0; count < atOnce + 5; count++) h.text(0, message);
  await h.tick(0);
  const read = (slot: number): number =>
    h.segments(slot).reduce((sum, { text }) => sum + (text.match(/Words/g)?.length ?? 0), 0);
  t.equal(read(0), atOnce);
  h.text(1, suggestion('Mine.'));
  await h.tick(0);
  t.match(h.segments(1), [{ text: 'Mine.' }], 'the other is read at once');
  await h.tick((1000 * 2.5 * price) / textsReadRate.value);
  await h.tick(0);
  // The rest of the burst may be enough for one more message.
  t.ok([atOnce + 2, atOnce + 3].includes(read(0)), `${read(0)} messages`);
  h.close(0);
  await h.tick(1000);
  t.equal(h.journal.log.includes('release'), true);
  const stored = h.journal
    .live(h.conversationId(0))
    .map(({ segment }) => segment.text.match(/Words/g)!.length);
  t.equal(
    stored.reduce((sum, count) => sum + count, 0),
    atOnce + 5,
    'what was said before the close is stored',
  );

  await h.open(2, { customStt: true, uid: 'flooder' });
  const kept = Math.floor(textsUnread.value / price);
  for (let count = 0; count <= atOnce + kept; count++) {
    h.text(2, message);
    if (count % 8 === 7) await h.settle();
  }
  await h.settle();
  t.match(h.story(2).at(-1), /^close 1008 texts_over_budget/);
  t.notOk(h.story(1).some((entry) => entry.startsWith('close')));
});

t.test('accepts the backlog of an hour offline at once', async (t) => {
  const backlog = new TextBacklog(limits, new UnreadTexts(), new HeldImages().of('user'));
  for (let number = 0; number < 2000; number++) {
    backlog.add(Buffer.from(JSON.stringify(suggestion(`Sentence number ${number}.`))));
  }
  t.equal(backlog.length, 2000);
});

t.test('accepts an image of four megabytes at once, for any chunk size', async (t) => {
  for (const size of [8000, 32_000, 60_000, 500_000]) {
    const backlog = new TextBacklog(limits, new UnreadTexts(), new HeldImages().of('user'));
    const total = Math.ceil(4_194_304 / size);
    const data = base64.slice(0, size).padEnd(size, 'A');
    for (let index = 0; index < total; index++) {
      backlog.add(Buffer.from(JSON.stringify({ ...image, index, total, data })));
    }
    t.equal(backlog.length, total, `${size} bytes`);
  }
});

t.test('reads suggested segments at the pace of speech, plus a burst for buffered ones', async (t) => {
  const h = new Harness();
  await h.open(0, { customStt: true });
  await h.open(1, { customStt: true, uid: 'other' });
  const { sharedBurst, suggestedBurst, suggestedRate, suggestedSegments } = fixedLimits;
  const segments = Array.from({ length: suggestedSegments.value }, (_, index) => ({
    text: `Line ${index}.`,
    start: index * 100,
    end: index * 100 + 1,
  }));
  h.text(0, { type: 'suggested_transcript', segments });
  const line = (index: number) => ({
    text: `Late ${index}.`,
    start: 60_000 + index * 100,
    end: 60_001 + index * 100,
  });
  // Another stream uses up the shared allowance and then waits.
  const most = suggestedSegments.value;
  for (let made = 0; made <= sharedBurst.value + 2 * most; made += most) {
    h.text(1, { type: 'suggested_transcript', segments });
  }
  await h.tick(100);
  for (let index = 0; index < suggestedBurst.value + 3 * suggestedRate.value; index++) {
    h.text(0, { type: 'suggested_transcript', segments: [line(index)] });
  }
  await h.tick(0);
  const atOnce = suggestedSegments.value + suggestedBurst.value;
  t.equal(h.segments(0).length, atOnce, 'as many as one message may hold, which all share, and its own');
  await h.tick(1000);
  await h.tick(0);
  t.equal(h.segments(0).length, atOnce + suggestedRate.value);
  await h.tick(2000);
  await h.tick(0);
  t.equal(h.segments(0).length, atOnce + 3 * suggestedRate.value, 'nothing is lost');
});

t.test('counts texts that are not JSON, however deeply they are nested', async (t) => {
  const h = new Harness();
  await h.open(0);
  const before = h.story(0).length;
  for (const text of ['not json', '{', '', '\0', '[1']) h.record(RecordKind.text, 0, Buffer.from(text));
  h.record(RecordKind.text, 0, brackets(60_000));
  await h.settle();
  t.equal(h.metric('texts_invalid_total'), 6);
  t.equal(h.story(0).length, before);
});
