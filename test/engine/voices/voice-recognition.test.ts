/** Tests the recognised speakers of a stream, with the real rules and a fake speaker model for the fake codec's voices. */
import t from 'tap';
import { speakerModel } from '../../../src/models/speaker-model.js';
import type { KnownVoices } from '../../../src/store/records/voice-profiles.js';
import { Harness, type HarnessOptions, silence, speech } from '../support/harness.js';
import { directionOf, tellDirections } from './voice-directions.js';

const { rule } = speakerModel('ge2e');
const recognition = { model: 'ge2e', dimensions: 16, rule };

const known = (...voices: readonly [personId: string | null, voice: number][]): KnownVoices => ({
  allowed: true,
  voices: voices.map(([personId, voice]) => ({
    personId,
    name: personId === null ? '' : `Name of ${personId}`,
    embeddings: [directionOf(voice)],
  })),
});

const harness = (voices: KnownVoices, options: HarnessOptions = {}): Harness => {
  const h = new Harness({ tellVoices: tellDirections, recognition, ...options });
  h.journal.voices = voices;
  return h;
};

/** Sends about the given seconds of speech. Waits until it is stored and compared. */
const say = async (h: Harness, voice: number, seconds = 4): Promise<void> => {
  h.stream(0, [...speech(voice, seconds * 50), ...silence()]);
  await h.tick((seconds + 0.6) * 1000);
  await h.tick();
  await h.tick();
};

const shown = (h: Harness): string[] =>
  h
    .segments(0)
    .map(
      ({ text, is_user, person_id, speech_profile_processed }) =>
        `${text.match(/Voice (\d+)/)?.[1]}:${is_user ? 'user' : person_id}:${speech_profile_processed ? 'compared' : 'not compared'}`,
    );

const assign = (h: Harness, speaker: number, person: string): void =>
  h.text(0, {
    type: 'speaker_assigned',
    speaker_id: speaker,
    person_id: person,
    person_name: 'Ada',
    segment_ids: [],
  });

t.test('recognises the owner by voice, also in earlier segments', async (t) => {
  const h = harness(known([null, 1]));
  await h.open(0);
  await say(h, 1, 1);
  t.same(shown(h), ['1:null:not compared'], 'a second is too little');
  await say(h, 1, 2);
  await say(h, 2);
  t.same(
    new Set(shown(h)),
    new Set(['1:user:compared', '2:null:compared']),
    'all of the owner, and no one else',
  );
  t.same(h.segments(0), h.storedSegments(0), 'the client has what is stored');
  t.same(h.events(0, 'speaker_label_suggestion'), [], 'the owner is not suggested');
  const asked = h.journal.voicesAsked;
  await say(h, 1, 8);
  t.equal(h.journal.voicesAsked, asked, 'whoever is known is not compared again');
});

t.test('suggests a known person once, and leaves the assignment to the client', async (t) => {
  const h = harness(known(['ada', 1], ['ben', 2]));
  await h.open(0);
  await say(h, 1);
  const [first] = h.segments(0);
  const suggestion = {
    type: 'speaker_label_suggestion',
    speaker_id: 0,
    person_id: 'ada',
    person_name: 'Name of ada',
    segment_id: first!.id,
  };
  t.same(h.events(0, 'speaker_label_suggestion'), [suggestion]);
  t.same(shown(h), ['1:null:compared']);
  await say(h, 1, 8);
  await h.close(0);
  await h.tick();
  await h.open(0);
  await say(h, 1, 8);
  t.same(h.events(0, 'speaker_label_suggestion'), [suggestion], 'also not after a reconnect');
});

t.test('reads known voices once per minute of a stream, and drops them without a stream', async (t) => {
  const h = harness(known([null, 9]));
  await h.open(0);
  await say(h, 1);
  t.equal(h.journal.voicesAsked, 1);
  await say(h, 2);
  t.equal(h.journal.voicesAsked, 1, 'once for all speakers');
  h.close(0);
  await h.tick();
  await h.open(0);
  await say(h, 3);
  t.equal(h.journal.voicesAsked, 2, 'anew after a reconnect');
  await h.tick(60_000);
  await say(h, 4);
  t.equal(h.journal.voicesAsked, 3, 'and after a minute');
});

t.test('assigns known people if the client requests it', async (t) => {
  const h = harness(known(['ada', 1]));
  await h.open(0, { assignSpeakers: true });
  await say(h, 1);
  t.same(shown(h), ['1:ada:compared']);
  t.same(h.events(0, 'speaker_label_suggestion'), []);
  assign(h, 0, 'cleo');
  await h.tick();
  t.same(shown(h), ['1:cleo:compared'], 'the client corrects it');
});

t.test('neither assigns nor suggests a person who was deleted', async (t) => {
  for (const assignSpeakers of [false, true]) {
    const h = harness(known(['ada', 1], [null, 2]));
    h.journal.people = () => ({ kind: 'unknown' });
    await h.open(0, { assignSpeakers });
    await say(h, 1);
    t.same(shown(h), ['1:null:compared']);
    t.same(h.events(0, 'speaker_label_suggestion'), []);
    await say(h, 2);
    t.same(shown(h), ['1:null:compared', '2:user:compared'], 'the wearer is known all the same');
  }
});

t.test('neither compares nor suggests a speaker whom the client named', async (t) => {
  const h = harness(known(['ada', 1], [null, 1]));
  await h.open(0);
  await say(h, 1, 1);
  assign(h, 0, 'cleo');
  await h.tick();
  await say(h, 1, 8);
  t.same(new Set(shown(h)), new Set(['1:cleo:not compared']));
  t.same(h.events(0, 'speaker_label_suggestion'), []);
});

t.test('recognises no voice when it is turned off, unknown or ambiguous', async (t) => {
  const table: readonly [string, KnownVoices, HarnessOptions, object, string][] = [
    ['no voice is known', known(), {}, {}, 'not compared'],
    ['the user turned it off', { allowed: false, voices: [] }, {}, {}, 'not compared'],
    ['the client turned it off', known([null, 1]), {}, { includeSpeechProfile: false }, 'not compared'],
    ['it is off here', known([null, 1]), { recognition: undefined as never }, {}, 'not compared'],
    ['two people are too alike', known(['ada', 1], ['ben', 1]), {}, {}, 'compared'],
    ['no known voice is like it', known([null, 2], ['ada', 3]), {}, {}, 'compared'],
  ];
  for (const [why, voices, options, wishes, compared] of table) {
    const h = harness(voices, options);
    await h.open(0, wishes);
    await say(h, 1);
    t.same(shown(h), [`1:null:${compared}`], why);
    t.same(h.events(0, 'speaker_label_suggestion'), [], why);
    if (compared === 'not compared') t.equal(h.journal.voicesAsked <= 1, true, why);
  }
});

t.test('compares no voice during a database outage, and compares it afterwards', async (t) => {
  const h = harness(known([null, 1]));
  await h.open(0);
  h.journal.mode = 'spill';
  await say(h, 1);
  t.same(shown(h), ['1:null:not compared']);
  h.journal.mode = 'database';
  await say(h, 1, 1);
  await h.tick();
  t.same(new Set(shown(h)), new Set(['1:user:compared']));
});

t.test('compares the last speech before the conversation ends', async (t) => {
  const h = harness(known([null, 1]));
  await h.open(0);
  h.stream(0, [...speech(1, 200), ...silence()]);
  await h.settle();
  h.close(0, 1000);
  await h.tick();
  await h.tick();
  t.same(
    h.journal.live(h.conversationId(0)).map(({ segment }) => segment.is_user),
    [true],
  );
});

t.test('learns the voice of a named person from ten seconds of speech', async (t) => {
  const h = harness(known());
  await h.open(0);
  await say(h, 1, 6);
  assign(h, 0, 'ada');
  await h.tick();
  await say(h, 2, 6);
  t.equal(h.journal.learned.size, 0, 'six seconds are too little');
  await say(h, 1, 6);
  const id = h.conversationId(0);
  t.same([...h.journal.learned.keys()], [`ada ${id}`]);
  const { embeddings, model } = h.journal.learned.get(`ada ${id}`)!;
  t.equal(model, 'ge2e');
  t.ok(embeddings[0]![1]! > 0.99, 'the voice of the one who was named');

  assign(h, 0, 'ben');
  await h.tick();
  await say(h, 1, 1);
  t.same([...h.journal.learned.keys()], [`ben ${id}`], 'a correction takes it back');
  assign(h, 0, 'user');
  await h.tick();
  await say(h, 1, 1);
  t.equal(h.journal.learned.size, 0, 'of the owner nothing is learned: the owner enrols');
});

t.test('learns no voice of a speaker beyond the maximum number of names', async (t) => {
  for (const [others, learned] of [
    [998, 1],
    [1000, 0],
  ] as const) {
    const h = harness(known());
    await h.open(0);
    for (let other = 0; other < others; other++) {
      assign(h, 5000 + other, 'user');
      if (other % 100 === 99) await h.tick(1000);
    }
    await h.tick(1000);
    await say(h, 1, 6);
    assign(h, 0, 'ada');
    await say(h, 1, 8);
    t.equal(h.journal.learned.size, learned, `${others} others`);
    t.same(h.segments(0).at(-1)?.person_id, learned === 1 ? 'ada' : null, 'as its words');
  }
});

t.test('learns nothing from a recognised voice, or if the client turned it off', async (t) => {
  const assigned = harness(known(['ada', 1]));
  await assigned.open(0, { assignSpeakers: true });
  await say(assigned, 1, 12);
  t.equal(assigned.journal.learned.size, 0);
  const off = harness(known());
  await off.open(0, { includeSpeechProfile: false });
  await say(off, 1, 12);
  assign(off, 0, 'ada');
  await off.tick();
  await say(off, 1, 1);
  t.equal(off.journal.learned.size, 0);
});

t.test('requires a higher similarity for audio with telephone bandwidth', async (t) => {
  // This similarity is too low for narrowband audio and suffices for other audio, for 2 s and for 4 s of speech.
  const similarity = 0.838;
  const embedding = directionOf(1).map(
    (value, index) => value * similarity + directionOf(2)[index]! * Math.sqrt(1 - similarity ** 2),
  );
  for (const [sampleRate, is] of [
    [8000, 'null'],
    [16_000, 'user'],
  ] as const) {
    const h = harness({ allowed: true, voices: [{ personId: null, name: '', embeddings: [embedding] }] });
    await h.open(0, { format: { codec: 'opus', sampleRate, channels: 1 } });
    await say(h, 1);
    t.same(shown(h), [`1:${is}:compared`], `${sampleRate} Hz`);
  }
});
