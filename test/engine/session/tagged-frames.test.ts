import t from 'tap';
import { RecordKind } from '../../../src/ring/layout.js';
import type { OpenRequest } from '../../../src/wire/stream.js';
import { Harness, silence, speech } from '../support/harness.js';

const call: Partial<OpenRequest> = {
  source: 'phone_call',
  format: { codec: 'pcm8', sampleRate: 8000, channels: 2 },
};
const mic = 0x01;
const remote = 0x02;

/** Sends the frames of both sides, one of each side every 20 ms. A shorter side sends nothing after its last frame. */
const converse = async (
  h: Harness,
  slot: number,
  sides: Partial<Record<number, readonly number[]>>,
): Promise<void> => {
  const length = Math.max(...Object.values(sides).map((frames) => frames?.length ?? 0));
  for (let at = 0; at < length; at++) {
    for (const [tag, frames] of Object.entries(sides)) {
      const frame = frames?.[at];
      if (frame !== undefined) h.record(RecordKind.audio, slot, Uint8Array.of(Number(tag), frame, 0));
    }
    h.clock.now += 20;
    h.shard.pass();
  }
  await h.settle();
};

for (const source of ['phone_call', 'desktop']) {
  t.test(`${source}: transcribes each side of a call separately and keeps its speaker`, async (t) => {
    const h = new Harness();
    await h.open(0, { ...call, source });
    t.equal(h.core.openStreams, 2);
    t.equal(h.provider.openStreams, 2);
    // Both sides speak at the same time.
    await converse(h, 0, {
      [mic]: [...speech(7), ...silence(60)],
      [remote]: [...speech(9), ...silence(60)],
    });
    await h.tick();
    const spoken = h.segments(0).map(({ text, speaker, speaker_id, is_user }) => ({
      text,
      speaker,
      speaker_id,
      is_user,
    }));
    t.same(
      spoken.sort((a, b) => a.speaker_id - b.speaker_id),
      [
        { text: 'Voice 7 says word 1.', speaker: 'SPEAKER_00', speaker_id: 0, is_user: true },
        { text: 'Voice 9 says word 2.', speaker: 'SPEAKER_01', speaker_id: 1, is_user: false },
      ],
    );
    t.same(
      h.segments(0).map(({ start, end }) => [start, end]),
      [
        [0, 0.5],
        [0, 0.5],
      ],
      'side by side',
    );
    t.equal(h.metric('frames_decoded_total'), 2 * 85);
    h.close(0);
    await h.settle();
    t.equal(h.core.openStreams, 0);
    t.equal(h.provider.openStreams, 0);
  });
}

t.test('counts a frame without a valid side and ignores it', async (t) => {
  const h = new Harness();
  await h.open(0, call);
  await converse(h, 0, { [mic]: silence(10) });
  for (const tag of [0x00, 0x03, 0xff]) h.record(RecordKind.audio, 0, Uint8Array.of(tag, 7, 0));
  await converse(h, 0, { [remote]: [...speech(9), ...silence()] });
  await h.tick();
  t.equal(h.metric('frames_untagged_total'), 3);
  t.equal(h.metric('frames_invalid_total'), 0);
  t.match(h.segments(0), [{ text: 'Voice 9 says word 1.', speaker: 'SPEAKER_01', is_user: false }]);
});

/** Formats of clients that request both channels of a call. */
const kinds: readonly {
  readonly title: string;
  readonly codec: 'pcm8' | 'pcm16';
  readonly source?: string;
  readonly separateSides?: boolean;
  readonly frames: (voice: number) => Uint8Array[];
  readonly told: string | undefined;
  readonly speakers: readonly string[];
}[] = [
  {
    title: 'tagged frames of 16 bits have an odd length',
    codec: 'pcm16',
    frames: (voice) => [Uint8Array.of(mic, voice, 0), Uint8Array.of(remote, voice, 0)],
    told: 'tagged',
    speakers: ['SPEAKER_00', 'SPEAKER_01'],
  },
  {
    title: 'stereo of 16 bits may begin as a tag does',
    codec: 'pcm16',
    frames: () => [Uint8Array.of(mic, 0, 0, 0)],
    told: 'stereo',
    speakers: ['SPEAKER_00'],
  },
  {
    title: 'stereo is mixed',
    codec: 'pcm8',
    frames: (voice) => [Uint8Array.of(voice, voice, 0, 0)],
    told: 'stereo',
    speakers: ['SPEAKER_00'],
  },
  {
    title: 'stereo of which each side is asked for',
    codec: 'pcm8',
    separateSides: true,
    frames: (voice) => [Uint8Array.of(voice, voice + 1, 0, 0)],
    told: 'separate',
    speakers: ['SPEAKER_00', 'SPEAKER_01'],
  },
  {
    title: 'the sides of a stream that is no call',
    codec: 'pcm8',
    source: 'phone',
    separateSides: true,
    frames: (voice) => [Uint8Array.of(voice, voice + 1, 0, 0)],
    told: undefined,
    speakers: ['SPEAKER_00', 'SPEAKER_01'],
  },
];

for (const { title, codec, source = 'phone_call', separateSides, frames, told, speakers } of kinds) {
  t.test(title, async (t) => {
    const h = new Harness();
    await h.open(0, { source, separateSides, format: { codec, sampleRate: 8000, channels: 2 } });
    let sent = 0;
    const say = (voice: number): void => {
      const said = frames(voice);
      for (const frame of voice === 0 ? said.map((one) => one.fill(0, one.length % 2)) : said) {
        h.record(RecordKind.audio, 0, frame);
        sent++;
      }
      h.clock.now += 20;
      h.shard.pass();
    };
    for (let at = 0; at < 25; at++) say(7);
    for (let at = 0; at < 35; at++) say(0);
    await h.tick();
    t.equal(h.core.openStreams, speakers.length);
    t.equal(h.provider.openStreams, speakers.length);
    t.same([...new Set(h.segments(0).map(({ speaker }) => speaker))].sort(), speakers);
    t.ok(
      h
        .segments(0)
        .every(
          (segment) =>
            segment.is_user === (told !== 'stereo' && source === 'phone_call' && segment.speaker_id === 0),
        ),
      'the wearer is the microphone of a call',
    );
    t.equal(h.segments(0)[0]?.start, 0, 'the frames that were looked at keep their time');
    const channels = h.events(0, 'service_status').filter(({ status }) => status === 'channels');
    t.same(
      channels.map(({ channels: kind }) => kind),
      told === undefined ? [] : [told],
      'told once',
    );
    t.equal(h.metric('frames_decoded_total'), told === 'tagged' || speakers.length === 1 ? sent : 2 * sent);
    t.equal(h.metric('frames_untagged_total'), 0);
    h.close(0);
    await h.settle();
    t.equal(h.core.openStreams, 0);
    t.equal(h.provider.openStreams, 0);
  });
}

t.test('decodes a call of only a few frames', async (t) => {
  const h = new Harness();
  await h.open(0, call);
  await converse(h, 0, { [remote]: speech(9, 9) });
  t.equal(h.metric('frames_decoded_total'), 0, 'they are looked at');
  h.close(0);
  await h.settle();
  await h.tick();
  t.equal(h.metric('frames_decoded_total'), 9);
});

t.test('treats an empty frame as one without a side, whatever the ring contained before', async (t) => {
  const h = new Harness();
  await h.open(0, call);
  let sent = 0;
  // Sends until the ring has wrapped, so that every offset has contained a tag before.
  for (let burst = 0; burst < 800; burst++) {
    h.record(RecordKind.audio, 0, new Uint8Array(2000).fill(mic));
    for (let i = 0; i < 8; i++) h.record(RecordKind.audio, 0, new Uint8Array(0));
    sent += 8;
    h.clock.now += 20;
    h.shard.pass();
  }
  await h.settle();
  t.equal(h.metric('frames_untagged_total'), sent);
});

t.test(
  'ends the utterance of a side that stops sending, and of both sides when the socket closes',
  async (t) => {
    const h = new Harness();
    await h.open(0, call);
    await converse(h, 0, { [mic]: speech(7), [remote]: [...speech(9), ...silence(10)] });
    await converse(h, 0, { [remote]: silence(200) });
    await h.tick();
    t.same(
      h.segments(0).map(({ speaker }) => speaker),
      ['SPEAKER_01', 'SPEAKER_00'],
      'the one that was cut off comes last',
    );
    await converse(h, 0, { [mic]: speech(7), [remote]: speech(9) });
    h.close(0);
    await h.settle();
    await h.tick();
    t.equal(h.provider.utterances, 4);
    t.equal(h.core.openStreams, 0);
  },
);

t.test('treats two channels of any other source as one stream', async (t) => {
  const h = new Harness();
  await h.open(0, { ...call, source: 'phone' });
  t.equal(h.core.openStreams, 1);
  h.say(0, 7);
  await h.tick();
  t.match(h.segments(0), [{ speaker: 'SPEAKER_00', is_user: false }]);
});

t.test('keeps the sides of one call apart from streams of other calls', async (t) => {
  const h = new Harness({ slots: 2 });
  await h.open(0, call);
  await h.open(1, { ...call, uid: 'other' });
  t.equal(h.core.openStreams, 4);
  await converse(h, 0, { [mic]: [...speech(3), ...silence()] });
  await converse(h, 1, { [remote]: [...speech(5), ...silence()] });
  await h.tick();
  t.match(h.segments(0), [{ text: 'Voice 3 says word 1.', speaker: 'SPEAKER_00' }]);
  t.match(h.segments(1), [{ text: 'Voice 5 says word 2.', speaker: 'SPEAKER_01' }]);
});

t.test('refuses a call whose second side cannot be opened, and frees everything', async (t) => {
  const h = new Harness();
  const open = h.core.open.bind(h.core);
  h.core.open = (handle, format) => {
    if (handle >= 8) throw new Error('no room');
    open(handle, format);
  };
  await h.open(0, call);
  t.match(h.story(0), [/^close 1011/]);
  h.close(0);
  await h.settle();
  t.equal(h.core.openStreams, 0);
});
