import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { AssignedSpeakers } from '../../../src/engine/conversation/assigned-speakers.js';
import { Harness } from '../support/harness.js';

/** Sends segments of three alternating speakers, from a client with its own transcript. */
const converse = async (h: Harness, count: number, slot = 0, from = 0): Promise<void> => {
  for (let at = 0; at < count; at += 100) {
    const segments = Array.from({ length: Math.min(100, count - at) }, (_, index) => {
      const number = from + at + index;
      return { text: `Line ${number}.`, speaker_id: number % 3, start: number * 5, end: number * 5 + 1 };
    });
    h.text(slot, { type: 'suggested_transcript', segments });
    // By now, the stream's allowance for texts has grown enough.
    await h.tick(60_000);
  }
};

const assign = (
  h: Harness,
  speaker: number,
  person: string,
  ids: readonly string[] = [],
  name = 'Ada',
): void =>
  h.text(0, {
    type: 'speaker_assigned',
    speaker_id: speaker,
    person_id: person,
    person_name: name,
    segment_ids: ids,
  });

const people = (h: Harness, speaker: number): unknown[] => [
  ...new Set(
    h.journal
      .live(h.conversationId(0))
      .filter(({ segment }) => segment.speaker_id === speaker)
      .map(({ segment }) => (segment.is_user ? 'user' : segment.person_id)),
  ),
];

const long = { customStt: true, conversationTimeout: 14_400 } as const;

t.test('assigns a speaker to all earlier segments, including old ones', async (t) => {
  const h = new Harness();
  await h.open(0, long);
  await converse(h, 1800);
  assign(h, 1, 'ada');
  await h.tick();
  t.same([people(h, 0), people(h, 1), people(h, 2)], [[null], ['ada'], [null]]);
  const sent = h.segments(0).filter(({ person_id }) => person_id === 'ada');
  t.equal(sent.length, 600, 'each is sent again');

  await h.tick(60_000);
  assign(h, 1, 'user');
  await h.tick();
  t.same(
    people(h, 1),
    ['user'],
    'a correction of the speaker changes all that had followed from the first one',
  );
});

t.test('keeps individually named segments when their speaker is corrected', async (t) => {
  const h = new Harness();
  await h.open(0, long);
  await converse(h, 400);
  const stored = h.journal.live(h.conversationId(0));
  const [first, , , fourth] = stored.map(({ segment }) => segment.id);
  await h.tick(60_000);
  assign(h, 0, 'ben', [first!, 'not-of-this-conversation']);
  await h.tick();
  const personOf = (id: string) =>
    h.journal.live(h.conversationId(0)).find(({ segment }) => segment.id === id)?.segment.person_id;
  t.equal(personOf(first!), 'ben');
  t.equal(personOf(fourth!), 'ben', 'the others of the speaker had no one');
  await h.tick(60_000);
  assign(h, 0, 'ada');
  await h.tick();
  t.same([personOf(first!), personOf(fourth!)], ['ben', 'ada']);
});

t.test('another stream that continues the conversation knows its assigned speakers', async (t) => {
  const h = new Harness();
  await h.open(0, long);
  await converse(h, 300);
  assign(h, 2, 'cleo');
  await h.tick();
  await h.close(0);
  await h.tick();
  const again = new Harness();
  again.clock.now = h.clock.now;
  for (const [id, stored] of h.journal.conversations) again.journal.conversations.set(id, stored);
  await again.open(0, long);
  await converse(again, 3, 0, 300);
  t.same([people(again, 0), people(again, 1), people(again, 2)], [[null], [null], ['cleo']]);
  await again.tick(60_000);
  assign(again, 2, 'ada');
  assign(again, 1, 'user');
  await again.tick();
  t.same([people(again, 1), people(again, 2)], [['user'], ['ada']], 'and what was said before it came');
});

t.test('assigns recent segments during a database outage and the others afterwards', async (t) => {
  const h = new Harness();
  await h.open(0, long);
  await converse(h, 400);
  assign(h, 0, 'user');
  h.journal.mode = 'spill';
  await h.tick();
  t.same(new Set(people(h, 0)), new Set([null, 'user']));
  h.journal.mode = 'database';
  await h.tick();
  t.same(people(h, 0), ['user']);
});

t.test('refuses a person that cannot be used, with a reason', async (t) => {
  const table = [
    { person: () => ({ kind: 'unknown' }) as const, reason: 'person_unknown' },
    { person: () => ({ kind: 'full' }) as const, reason: 'too_many_people', limit: 1000 },
    { mode: 'spill', reason: 'try_again' },
    { name: 'n'.repeat(101), reason: 'person_name_too_long', limit: 100 },
    { name: 'n'.repeat(20_000), reason: 'person_name_too_long', limit: 100 },
    { id: 'i'.repeat(257), reason: 'person_unknown' },
  ] as const;
  for (const row of table) {
    const h = new Harness();
    await h.open(0, long);
    await converse(h, 3);
    if ('person' in row) h.journal.people = row.person;
    if ('mode' in row) h.journal.mode = row.mode;
    assign(h, 0, 'id' in row ? row.id : 'ada', [], 'name' in row ? row.name : 'Ada');
    await h.tick();
    const { reason } = row;
    const limit = 'limit' in row ? { limit: row.limit } : {};
    const told = { status: 'message_refused', message_type: 'speaker_assigned', reason, ...limit };
    t.match(h.events(0, 'service_status').at(-1), told, reason);
    t.same(people(h, 0), [null]);
  }
});

t.test('looks a person up again after a deletion', async (t) => {
  const h = new Harness();
  await h.open(0, long);
  await converse(h, 3);
  let id = 'first';
  h.journal.people = () => ({ kind: 'person', id });
  assign(h, 0, 'new');
  await h.tick();
  t.same(people(h, 0), ['first']);
  id = 'second';
  await h.tick(60_000);
  assign(h, 0, 'new');
  await h.tick();
  t.same(people(h, 0), ['second']);
});

t.test('applies an assignment again that could not be stored', async (t) => {
  const h = new Harness();
  await h.open(0, long);
  await converse(h, 1800);
  const id = h.conversationId(0);
  assign(h, 1, 'ada');
  h.journal.hold();
  const ticked = h.tick();
  h.journal.takeOver(id, 'in_progress');
  h.journal.resume();
  await ticked;
  await converse(h, 1, 0, 1800);
  t.same(people(h, 1), ['ada']);
});

t.test('suggests the name of an introduction once, and assigns nothing', async (t) => {
  const h = new Harness();
  await h.open(0, long);
  h.journal.people = ({ name }) => ({ kind: 'person', id: `id-of-${name}` });
  const say = async (text: string, more: object = {}): Promise<void> => {
    h.text(0, {
      type: 'suggested_transcript',
      segments: [{ text, start: 0, end: 1, speaker_id: 1, ...more }],
    });
    await h.tick(60_000);
  };
  await say("Hello, I'm Anna.");
  await say("As I said, I'm Anna.", { start: 50, end: 51 });
  await say("And I'm Ben.", { start: 90, end: 91, is_user: true, speaker_id: 2 });
  await say("I'm Cleo.", { start: 130, end: 131, person_id: 'cleo', speaker_id: 3 });
  const [anna] = h.segments(0);
  t.same(h.events(0, 'speaker_label_suggestion'), [
    {
      type: 'speaker_label_suggestion',
      speaker_id: 1,
      person_id: 'id-of-Anna',
      person_name: 'Anna',
      segment_id: anna!.id,
    },
  ]);
  t.equal(anna!.person_id, null);
  h.journal.people = () => ({ kind: 'full' });
  await say("I'm Dora.", { start: 170, end: 171 });
  t.equal(
    h.events(0, 'speaker_label_suggestion').length,
    1,
    'no one is suggested who is not one of the people',
  );
});

t.test('keeps the persons of more than a thousand individually named segments', async (t) => {
  const h = new Harness();
  await h.open(0, long);
  await converse(h, 1200);
  const ids = h.journal.live(h.conversationId(0)).map(({ segment }) => segment.id);
  t.equal(ids.length, 1200);
  for (let at = 0; at < ids.length; at += 600) {
    assign(h, 0, 'ben', ids.slice(at, at + 600));
    await h.tick(300_000);
  }
  assign(h, 0, 'ada');
  await h.tick(60_000);
  await h.tick();
  t.same([people(h, 0), people(h, 1), people(h, 2)], [['ben'], ['ben'], ['ben']]);
  t.same(
    h.events(0, 'service_status').filter(({ status }) => status === 'message_refused'),
    [],
  );
});

t.test(
  'refuses a message that exceeds a limit of named segments or speakers, without partial effects',
  async (t) => {
    const speakers = new AssignedSpeakers();
    const { value: limit } = fixedLimits.namedSegments;
    const ids = Array.from({ length: limit }, (_, index) => `segment-${index}`);
    t.equal(speakers.assign(0, 'ada', ids), null);
    const refusal = { reason: 'too_many_segment_ids', limit };
    t.same(speakers.assign(1, 'ben', ['segment-0', 'one-more']), refusal);
    t.notOk(speakers.has(1));
    t.equal(speakers.protectedIds.size, limit);
    t.equal(
      speakers.assign(1, 'ben', ['segment-0', 'segment-0']),
      null,
      'those that are named may be named again',
    );
    for (let speaker = 2; speaker < 1000; speaker++) t.equal(speakers.assign(speaker, 'ben', []), null);
    t.same(speakers.assign(1000, 'ben', []), { reason: 'too_many_speakers', limit: 1000 });
    t.equal(speakers.assign(999, 'ada', []), null);
  },
);
