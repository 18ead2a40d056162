import t from 'tap';
import { RecordKind } from '../../../src/ring/layout.js';
import { LostFrames } from '../../../src/wire/lost-frames.js';
import { Harness, silence, speech } from '../support/harness.js';

const texts = (h: Harness, slot: number): string[] => h.segments(slot).map(({ text }) => text);

t.test('a segment has the documented fields, and its conversation starts at zero', async (t) => {
  const h = new Harness();
  await h.open(0);
  h.stream(0, silence(50));
  h.say(0, 7);
  await h.tick();
  const [segment] = h.segments(0);
  t.match(segment, {
    text: 'Voice 7 says word 1.',
    speaker: 'SPEAKER_00',
    speaker_id: 0,
    is_user: false,
    person_id: null,
    start: 0,
    end: 0.5,
    translations: [],
    speech_profile_processed: false,
    stt_provider: 'local',
  });
  t.match(segment?.id, /^[0-9a-f-]{36}$/);
  t.equal(h.metric('segments_committed_total'), 1);
  t.equal(h.metric('segments_sent_total'), 1);
});

t.test('sends nothing before it is durable', async (t) => {
  const h = new Harness();
  await h.open(0);
  h.journal.hold();
  h.say(0, 7);
  await h.settle();
  const ticking = h.shard.tick();
  await h.settle();
  t.same(texts(h, 0), []);
  h.journal.resume();
  await ticking;
  await h.settle();
  t.same(texts(h, 0), ['Voice 7 says word 1.']);
});

t.test('treats a spilled segment as durable', async (t) => {
  const h = new Harness();
  await h.open(0);
  h.journal.mode = 'spill';
  h.say(0, 7);
  await h.tick();
  t.same(texts(h, 0), ['Voice 7 says word 1.']);
});

t.test('commits words that arrive during a slow commit with the next commit', async (t) => {
  const h = new Harness();
  await h.open(0);
  h.journal.hold();
  h.say(0, 7);
  await h.settle();
  const first = h.shard.tick();
  await h.settle();
  for (const voice of [8, 9]) {
    h.say(0, voice);
    await h.settle();
    await h.shard.tick();
  }
  t.equal(h.journal.commits.length, 0);
  h.journal.resume();
  await first;
  await h.tick();
  t.equal(h.journal.commits.length, 2);
  t.match(texts(h, 0).join(' '), /word 1\..*word 2\..*word 3\./);
});

t.test('commits all conversations of a tick together', async (t) => {
  const h = new Harness();
  for (const slot of [0, 1, 2]) await h.open(slot, { uid: `user-${slot}` });
  for (const slot of [0, 1, 2]) h.say(slot, slot + 1);
  await h.tick();
  t.equal(h.journal.commits.length, 1);
  t.equal(h.journal.commits[0]?.length, 3);
});

t.test('keeps the segments of streams apart', async (t) => {
  const h = new Harness();
  for (const slot of [0, 1, 2, 3]) await h.open(slot, { uid: `user-${slot}` });
  for (let round = 0; round < 5; round++) {
    for (const frame of [...speech(1), ...silence()]) {
      for (const slot of [0, 1, 2, 3]) h.frames(slot, [frame === 0 ? 0 : slot + 1]);
      h.clock.now += 20;
      h.shard.pass();
    }
    await h.tick();
  }
  for (const slot of [0, 1, 2, 3]) {
    const heard = texts(h, slot).join(' ');
    t.equal(heard.match(/Voice/g)?.length, 5);
    t.equal(heard.match(new RegExp(`Voice ${slot + 1} `, 'g'))?.length, 5);
    t.same(h.journal.texts(h.conversationId(slot)), texts(h, slot));
  }
});

t.test('two sockets of one user, source and device share a conversation; other sockets do not', async (t) => {
  const h = new Harness();
  await h.open(0);
  await h.open(1);
  await h.open(2, { source: 'desktop' });
  await h.open(3, { deviceId: 'ios_1' });
  h.say(0, 5);
  await h.tick();
  t.equal(h.conversationId(0), h.conversationId(1));
  t.same(texts(h, 1), texts(h, 0));
  t.equal(new Set([0, 2, 3].map((slot) => h.conversationId(slot))).size, 3);
  t.same(texts(h, 2), []);
});

t.test('puts results that arrive out of order into order', async (t) => {
  const h = new Harness();
  await h.open(0);
  h.provider.manual = true;
  for (const voice of [1, 2, 3]) h.say(0, voice);
  await h.settle();
  const [first, second, third] = h.provider.held;
  third!.answer({ text: 'Third, and it is long enough to stand on its own.' });
  second!.answer({ text: 'Second.' });
  first!.answer({ text: 'First.' });
  await h.tick();
  t.match(texts(h, 0).join(' '), /^First\. Second\. Third/);
  const [segment] = h.segments(0);
  t.same([segment?.start, segment?.end], [0, 2.7]);
});

t.test('keeps the id of a merged segment and reports an absorbed one', async (t) => {
  const h = new Harness();
  await h.open(0);
  h.provider.manual = true;
  h.say(0, 1);
  await h.settle();
  h.provider.held[0]!.answer({ text: 'we went' });
  await h.tick();
  const [before] = h.segments(0);
  h.say(0, 1);
  await h.settle();
  h.provider.held[1]!.answer({ text: 'home early.' });
  await h.tick();
  t.equal(h.segments(0).length, 1);
  t.match(h.segments(0)[0], { id: before!.id, text: 'we went home early.' });
  t.same(h.story(0).slice(-2), ['segments_deleted', 'segments']);
  t.same(h.journal.texts(h.conversationId(0)), ['we went home early.']);
});

t.test('counts pauses of the audio in the times of segments', async (t) => {
  const h = new Harness();
  await h.open(0, { conversationTimeout: 600 });
  h.say(0, 1);
  await h.tick();
  h.clock.now += 60_000;
  h.say(0, 2);
  await h.tick();
  const [first, second] = h.segments(0);
  t.equal(first?.start, 0);
  t.ok(second!.start > 60 && second!.start < 63, `${second?.start}`);
});

t.test('ends an utterance when the client stops sending', async (t) => {
  const h = new Harness();
  await h.open(0);
  h.stream(0, speech(4));
  await h.tick(600);
  t.same(texts(h, 0), []);
  await h.tick(3000);
  await h.tick();
  t.same(texts(h, 0), ['Voice 4 says word 1.']);
});

t.test('continues the conversation, and its times, after a reconnect within the timeout', async (t) => {
  const h = new Harness();
  await h.open(0);
  h.say(0, 1);
  await h.tick();
  const id = h.conversationId(0);
  h.close(0);
  await h.tick(20_000);
  t.equal(h.shard.conversations, 0);
  await h.open(1);
  h.say(1, 2);
  await h.tick();
  t.equal(h.conversationId(1), id);
  const [stored] = h.journal.live(id).slice(-1);
  t.ok(stored!.segment.start > 20);
  t.equal(h.journal.conversations.size, 1);
  t.equal(h.metric('conversations_resumed_total'), 1);
});

t.test('continues in a new conversation when another engine took over the old one', async (t) => {
  const h = new Harness();
  await h.open(0);
  h.say(0, 1);
  await h.tick();
  const old = h.conversationId(0);
  h.journal.takeOver(old);
  h.say(0, 2);
  await h.tick();
  const fresh = h.conversationId(0);
  t.not(fresh, old);
  t.same(h.journal.texts(old), ['Voice 1 says word 1.']);
  t.same(h.journal.texts(fresh), ['Voice 2 says word 2.']);
  t.equal(h.journal.live(fresh)[0]?.segment.start, 0);
  t.same(h.story(0).slice(-2), ['conversation_session', 'segments']);
});

t.test('renews one lease for all conversations, and only while a stream is open', async (t) => {
  const h = new Harness();
  await h.open(0);
  await h.open(1);
  for (const renewals of [1, 2, 3]) {
    await h.tick(10_000);
    t.equal(h.journal.renewals, renewals);
    await h.tick();
    t.equal(h.journal.renewals, renewals, 'three times within its duration');
  }
  h.close(0);
  h.close(1);
  await h.tick();
  await h.tick(30_000);
  t.equal(h.journal.renewals, 3, 'without a conversation it is not needed');
});

t.test('keeps the words of a failed commit, closes the socket and retries the commit', async (t) => {
  const h = new Harness();
  await h.open(0);
  const id = h.conversationId(0);
  h.say(0, 1);
  await h.settle();
  h.journal.mode = 'broken';
  await h.tick();
  t.same(texts(h, 0), []);
  t.match(h.story(0).at(-1), /^close 1011/);
  h.close(0, 1011);
  await h.tick();
  h.journal.mode = 'database';
  await h.tick();
  await h.tick();
  t.same(h.journal.texts(id), ['Voice 1 says word 1.']);
  t.equal(h.journal.conversations.get(id)?.leased, false);
  t.same([h.shard.sessions, h.shard.conversations], [0, 0]);
});

t.test('reports dropped frames and only counts invalid frames', async (t) => {
  const h = new Harness();
  await h.open(0);
  h.frames(0, [254, 255, 255, 0]);
  await h.tick();
  t.match(h.events(0, 'service_status').at(-1), { status: 'audio_dropped', frames: 3, gap_ms: 60 });
  t.equal(h.metric('frames_invalid_total'), 2);
  t.equal(h.metric('frames_decoded_total'), 1);
  t.equal(h.shard.sessions, 1);
});

const lostFrames = [
  { title: 'of a stream', source: 'phone', channels: 1, firsts: [1, 2], frames: 50 },
  { title: 'of one side of a call', source: 'phone_call', channels: 2, firsts: [1], frames: 50 },
] as const;
for (const { title, source, channels, firsts, frames } of lostFrames) {
  t.test(`treats lost frames ${title} as a gap, and later audio keeps its time`, async (t) => {
    const h = new Harness();
    await h.open(0, { source, format: { codec: 'pcm8', sampleRate: 8000, channels } });
    const say = (voice: number): void => {
      for (const frame of [...speech(voice), ...silence()]) {
        const bytes = Uint8Array.of(frame, 0, 0);
        h.record(RecordKind.audio, 0, channels === 2 ? Uint8Array.of(1, ...bytes) : bytes);
        h.clock.now += 20;
        h.shard.pass();
      }
    };
    say(1);
    const lost = new LostFrames();
    for (let frame = 0; frame < frames; frame++) lost.add(Uint8Array.of(firsts[frame % firsts.length]!, 0));
    h.record(RecordKind.gap, 0, lost.payload);
    h.clock.now += 20 * frames;
    say(2);
    await h.tick();
    const spoken = (25 + 30) * 0.02;
    const starts = h.segments(0).flatMap(({ text, start, end }) => [[text.slice(0, 7), start, end]]);
    t.match(h.events(0, 'service_status').at(-1), { status: 'audio_dropped', frames, gap_ms: 20 * frames });
    const told = h.segments(0).at(-1)!;
    t.ok(Math.abs(told.end - (spoken + 1 + 0.5)) < 0.001, JSON.stringify(starts));
  });
}

t.test('reports many gaps once per second', async (t) => {
  const h = new Harness();
  await h.open(0);
  for (let gap = 0; gap < 100; gap++) h.stream(0, [254, 0]);
  await h.tick(1000);
  const told = h.events(0, 'service_status').filter(({ status }) => status === 'audio_dropped');
  t.equal(
    told.reduce((sum, { frames }) => sum + Number(frames), 0),
    300,
    'of each frame',
  );
  t.ok(told.length <= 6, `${told.length} messages in 4 s`);
});

t.test('a detector that answers later changes no result', async (t) => {
  const h = new Harness({ synchronous: false });
  await h.open(0);
  h.stream(0, [...speech(3)]);
  h.close(0);
  await h.tick();
  await h.tick();
  t.same(h.journal.texts(h.conversationId(0)), ['Voice 3 says word 1.']);
});

t.test('treats a frame with a future arrival time as just arrived', async (t) => {
  const h = new Harness();
  h.ahead = 2;
  await h.open(0);
  h.frames(0, speech(1));
  await h.tick(0);
  h.frames(0, [...speech(1), ...silence()]);
  await h.tick();
  t.equal(h.provider.utterances, 1, 'nobody took the speaker for silent in mid-speech');
  h.clock.now += 11_000;
  h.say(0, 2);
  await h.tick();
  const { start } = h.segments(0).at(-1)!;
  t.ok(start > 10 && start < 60, `time goes on as it did: ${start}`);
});

t.test('passes a burst after a stall to the core in portions', async (t) => {
  const h = new Harness();
  await h.open(0);
  h.frames(0, [...speech(3, 100), ...silence()]);
  h.text(0, { type: 'speaker_assigned', speaker_id: 0, person_id: 'p', person_name: 'P', segment_ids: [] });
  h.shard.pass();
  t.ok(h.core.mostQueued <= 8, `${h.core.mostQueued} frames before a turn`);
  await h.tick();
  t.match(h.segments(0)[0], { text: 'Voice 3 says word 1.', end: 2 });
});

t.test('keeps the order of words when decoders finish in another order', async (t) => {
  const h = new Harness();
  await h.open(0);
  h.provider.manual = true;
  for (const voice of [1, 2, 3]) h.stream(0, [...speech(voice), ...silence()]);
  await h.settle();
  const [first, second, third] = h.provider.held;
  third!.answer();
  second!.answer();
  await h.tick();
  t.same(h.segments(0), [], 'the first utterance has no words yet');
  first!.fail();
  await h.tick();
  await h.tick();
  t.match(
    h.journal.texts(h.conversationId(0)).join(' '),
    /Voice 2 says word 2\. .*Voice 3 says word 3\./,
    'one that fails does not hold up the others',
  );
});

t.test('stores an utterance that is transcribed last at its place', async (t) => {
  const h = new Harness();
  await h.open(0);
  h.provider.manual = true;
  for (const voice of [1, 2]) h.stream(0, [...speech(voice), ...silence()]);
  await h.settle();
  const [first, second] = h.provider.held;
  second!.answer();
  await h.tick();
  first!.answer();
  await h.tick();
  await h.tick();
  t.match(h.journal.texts(h.conversationId(0)).join(' '), /Voice 1 says word 1\. .*Voice 2 says word 2\./);
});
