import t from 'tap';
import { FakeProvider } from '../support/fake-provider.js';
import { Harness, silence, speech } from '../support/harness.js';

const startUp = [
  'initiating',
  'in_progress_conversations_processing',
  'conversation_session',
  'stt_initiating',
  'ready',
];

t.test('sends the start-up messages in order', async (t) => {
  const h = new Harness();
  await h.open(0);
  t.same(h.story(0), startUp);
  const statuses = h.events(0, 'service_status');
  t.ok(statuses.every(({ status_text }) => typeof status_text === 'string' && status_text !== ''));
  t.equal(statuses.at(-1)?.provider, 'local');
  const [session] = h.events(0, 'conversation_session');
  t.match(session, { status: 'in_progress', recording_session_id: 'stream-0-0' });
  t.equal(h.journal.inProgress[0]?.id, session?.conversation_id);
});

t.test('names the last completed conversation at its place in the start-up messages', async (t) => {
  const h = new Harness();
  h.journal.last = 'previous';
  await h.open(0);
  t.same(h.story(0), [startUp[0], 'last_memory', ...startUp.slice(1)]);
  t.equal(h.events(0, 'last_memory')[0]?.memory_id, 'previous');
});

t.test('decodes audio that arrives before ready, and sends its segments after ready', async (t) => {
  const h = new Harness();
  const opening = h.open(0);
  h.frames(0, [...speech(7), ...silence()]);
  await opening;
  await h.tick();
  t.same(h.story(0), [...startUp, 'segments']);
});

const refusals = [
  {
    why: 'codec',
    wishes: { format: { codec: 'aac', sampleRate: 8000, channels: 1 } },
    close: /^close 1003 Codec aac/,
  },
  {
    why: 'rate',
    wishes: { format: { codec: 'pcm8', sampleRate: 44_100, channels: 1 } },
    close: /^close 1003 pcm8 requires/,
  },
  { why: 'language', wishes: { language: 'xx' }, close: /^close 1008 The language is not supported, xx$/ },
] as const;
for (const { why, wishes, close } of refusals) {
  t.test(`refuses with the right close code: ${why}`, async (t) => {
    const h = new Harness();
    await h.open(0, wishes);
    t.equal(h.story(0).length, 1);
    t.match(h.story(0)[0], close);
    h.frames(0, speech(1));
    h.text(0, {
      type: 'speaker_assigned',
      speaker_id: 0,
      person_id: 'user',
      person_name: 'me',
      segment_ids: [],
    });
    h.close(0, 1003);
    await h.settle();
    t.equal(h.story(0).at(-1), 'released');
    t.equal(h.journal.conversations.size, 0);
    t.same([h.shard.sessions, h.shard.conversations, h.core.openStreams], [0, 0, 0]);
  });
}

t.test('ignores a provider outside the policy and chooses one that supports the language', async (t) => {
  const english = new FakeProvider('local', ['en']);
  const french = new FakeProvider('provider_b', ['fr']);
  const h = new Harness({ providers: [english, french] });
  await h.open(0, { language: 'fr-CA', sttService: 'provider_a' });
  await h.open(1, { language: 'en', sttService: 'provider_b', uid: 'other' });
  t.equal(h.events(0, 'service_status').at(-1)?.provider, 'provider_b');
  t.equal(h.events(1, 'service_status').at(-1)?.provider, 'local');
});

t.test('retries to connect, then tries the next provider', async (t) => {
  const first = new FakeProvider('local');
  const second = new FakeProvider('provider_a');
  first.refusals = Number.POSITIVE_INFINITY;
  second.refusals = 2;
  const h = new Harness({ providers: [first, second] });
  await h.open(0);
  t.equal(h.events(0, 'service_status').at(-1)?.provider, 'provider_a');
  t.same([first.connects, second.connects], [3, 3]);
});

t.test('reports and closes when no provider connects', async (t) => {
  const h = new Harness();
  h.provider.refusals = Number.POSITIVE_INFINITY;
  await h.open(0);
  t.same(h.story(0).slice(-2), ['stt_failed', 'close 1011 transcription_service_unavailable']);
  t.match(h.events(0, 'service_status').at(-1), {
    outcome: 'upstream_error',
    provider: 'local',
    retryable: true,
    reason: 'initialization_failed',
  });
  t.notOk(h.story(0).includes('ready'));
});

t.test('closes the stream when the journal cannot write', async (t) => {
  const h = new Harness();
  h.journal.mode = 'broken';
  await h.open(0);
  t.match(h.story(0).at(-1), /^close 1011 The journal/);
});
