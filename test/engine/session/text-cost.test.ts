/**
 * Tests that the charge for a client's text depends on the segments that the text makes or changes, not on its
 * encoding.
 */
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { Harness } from '../support/harness.js';

const { sharedBurst, sharedRate, suggestedBurst, suggestedRate, suggestedSegments } = fixedLimits;
/** Number of segments in the largest message. */
const burst = suggestedSegments.value;
const suggested = (...segments: object[]): object => ({
  type: 'suggested_transcript',
  stt_provider: 'mine',
  segments,
});
/** Returns the number of segments written for a user. Each change counts again. */
const written = (h: Harness, uid: string): number =>
  h.journal.commits
    .flat()
    .reduce((sum, { lease, upserts }) => sum + (lease.uid === uid ? upserts.length : 0), 0);

/** Messages that make or change many segments. Each is sent repeatedly. */
const kinds: readonly { readonly name: string; readonly message: (number: number) => object }[] = [
  {
    name: 'a text without spaces',
    message: (number) => suggested({ text: `${number}${'x'.repeat(60_000)}`, start: 0, end: 20_000 }),
  },
  {
    name: 'a text without spaces in a script without spaces',
    message: () => suggested({ text: '中华人民共和国'.repeat(2800), start: 0, end: 20_000 }),
  },
  {
    name: 'a long time with few words',
    message: () => suggested({ text: 'word '.repeat(12_000), start: 0, end: 20_000 }),
  },
  {
    name: 'many short segments',
    message: (number) =>
      suggested(
        ...Array.from({ length: burst }, (_, index) => ({
          text: 'A.',
          speaker: `SPEAKER_0${index % 2}`,
          start: 10 * (number * burst + index),
          end: 10 * (number * burst + index) + 1,
        })),
      ),
  },
];

for (const { name, message } of kinds) {
  t.test(`${name} costs as many segments as it creates`, async (t) => {
    const h = new Harness();
    await h.open(0, { customStt: true, uid: 'flooder' });
    await h.open(1, { customStt: true, uid: 'other' });
    let sent = 0;
    // The passes take about four minutes of the shard's clock.
    for (let pass = 0; pass < 400; pass++) {
      if (pass % 10 === 0) h.text(0, message(sent++));
      await h.tick(600);
    }
    // One message may exceed the remaining allowance, both of the stream and of the shard.
    const own = suggestedBurst.value + 240 * suggestedRate.value + burst;
    const allowed = own + sharedBurst.value + 240 * sharedRate.value + burst;
    t.ok(written(h, 'flooder') > burst, 'it is read all the same');
    t.ok(written(h, 'flooder') <= allowed, `${written(h, 'flooder')} of ${allowed} segments`);
    h.text(1, suggested({ text: 'Mine.' }));
    await h.tick(0);
    t.match(h.segments(1), [{ text: 'Mine.' }], 'another stream pays nothing of it');
  });
}

t.test('refuses a message completely if its texts would create too many segments', async (t) => {
  const h = new Harness();
  await h.open(0, { customStt: true, acceptedAt: h.clock.now - 1_000_000_000 });
  const segment = { text: 'y'.repeat(201), start: 0, end: 1_000_000 };
  h.text(0, suggested(...new Array(251).fill(segment)));
  await h.tick();
  t.match(h.events(0, 'service_status').at(-1), {
    status: 'message_refused',
    message_type: 'suggested_transcript',
    reason: 'too_many_segments',
    limit: burst,
  });
  t.same(h.segments(0), []);
  h.text(0, suggested(...new Array(250).fill(segment)));
  await h.tick();
  t.equal(h.segments(0).length, burst, 'at the bound it is taken, and costs nothing before');
});

t.test('naming the speaker of segments costs as many segments as are rewritten', async (t) => {
  const h = new Harness();
  await h.open(0, { customStt: true });
  h.text(
    0,
    suggested(
      ...Array.from({ length: 100 }, (_, index) => ({ text: 'A.', start: 10 * index, end: 10 * index + 1 })),
    ),
  );
  await h.tick();
  const ids = h.segments(0).map(({ id }) => id);
  t.equal(ids.length, 100);
  const before = written(h, 'user');
  const assign = (person: number, segment_ids: readonly string[]): void =>
    h.text(0, {
      type: 'speaker_assigned',
      speaker_id: 9,
      person_id: `p${person}`,
      person_name: 'P',
      segment_ids,
    });
  for (let person = 0; person < 100; person++) {
    assign(person, ids);
    await h.tick(1000);
  }
  const changed = written(h, 'user') - before;
  const atOnce = suggestedBurst.value + sharedBurst.value;
  t.ok(changed >= atOnce - 200, `${changed} are changed`);
  const earned = 100 * (suggestedRate.value + sharedRate.value);
  t.ok(changed <= atOnce + 2 * ids.length + earned, `${changed} in 100 seconds`);
});

t.test('segments that cannot change do not delay the naming of speakers', async (t) => {
  const h = new Harness();
  await h.open(0, { customStt: true });
  h.text(0, suggested({ text: 'First.', start: 0, end: 1 }));
  await h.tick();
  const [{ id } = { id: '' }] = h.segments(0);
  const others = Array.from(
    { length: 999 },
    (_, number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  );
  for (let person = 0; person < 10; person++) {
    h.text(0, {
      type: 'speaker_assigned',
      speaker_id: 0,
      person_id: `p${person}`,
      person_name: 'P',
      segment_ids: [...others, id],
    });
    await h.tick(1000);
    t.match(h.segments(0), [{ id, person_id: `p${person}` }]);
  }
});

t.test('messages that name no segment have a cost, too', async (t) => {
  const h = new Harness();
  await h.open(0);
  const nothing = {
    type: 'speaker_assigned',
    speaker_id: 0,
    person_id: 'p',
    person_name: 'P',
    segment_ids: [],
  };
  await h.open(1, { customStt: true, uid: 'other' });
  const whole = suggested(...Array.from({ length: burst }, () => ({ text: 'A.' })));
  for (let made = 0; made <= sharedBurst.value + 2 * burst; made += burst) h.text(1, whole);
  await h.tick(100);
  for (let count = 0; count < suggestedBurst.value; count++) h.text(0, nothing);
  await h.tick(0);
  const others = h.metric('texts_unread_bytes');
  for (let count = 0; count < suggestedRate.value; count++) h.text(0, nothing);
  await h.tick(0);
  t.ok(h.metric('texts_unread_bytes') > others, 'what is beyond a burst waits');
  await h.tick(1000);
  await h.tick(0);
  t.equal(h.metric('texts_unread_bytes'), others);
});
