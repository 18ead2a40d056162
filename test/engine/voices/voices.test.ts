/** Tests the diarization of a stream, with the real rules and a fake speaker model for the fake codec's voices. */
import t from 'tap';
import type { TellVoices } from '../../../src/engine/voices/channel.js';
import { revisePacked } from '../../../src/engine/voices/revise-packed.js';
import { newVoiceStream } from '../../../src/engine/voices/stream.js';
import { speakerModel } from '../../../src/models/speaker-model.js';
import { FakeProvider } from '../support/fake-provider.js';
import { Harness, silence, speech } from '../support/harness.js';
import { tellDirections as tell } from './voice-directions.js';

/** Sends about the given seconds of speech. Waits until it is stored. */
const say = async (h: Harness, voice: number, seconds = 4, slot = 0): Promise<void> => {
  h.stream(slot, [...speech(voice, seconds * 50), ...silence()]);
  await h.tick((seconds + 0.6) * 1000);
  await h.tick();
};

const speakers = (h: Harness): string[] =>
  h.journal
    .live(h.conversationId(0))
    .map(({ segment }) => `${segment.text.match(/Voice (\d+)/)?.[1]}:${segment.speaker_id}`);

t.test('gives each voice a label, and the same label when it returns', async (t) => {
  const h = new Harness({ tellVoices: tell });
  await h.open(0);
  for (const voice of [1, 2, 1, 3, 2]) await say(h, voice);
  t.same(speakers(h), ['1:0', '2:1', '1:0', '3:2', '2:1']);
  t.same(h.segments(0), h.storedSegments(0), 'the client has what is stored');
});

t.test('keeps the labels after a reconnect', async (t) => {
  const h = new Harness({ tellVoices: tell });
  await h.open(0);
  for (const voice of [1, 2]) await say(h, voice);
  h.close(0);
  await h.tick();
  await h.open(0);
  for (const voice of [2, 1]) await say(h, voice);
  t.same(speakers(h), ['1:0', '2:1', '2:1', '1:0']);
});

t.test('applies late labels to stored segments, and delays no words', async (t) => {
  let release: (() => void)[] = [];
  const h = new Harness({
    tellVoices: async (job) => {
      await new Promise<void>((resolve) => release.push(resolve));
      return tell(job);
    },
  });
  await h.open(0);
  for (const voice of [1, 2]) await say(h, voice);
  t.same(speakers(h), ['1:0', '2:0'], 'the words are there');
  for (let round = 0; round < 4; round++) {
    for (const go of release.splice(0)) go();
    await h.tick();
  }
  t.same(speakers(h), ['1:0', '2:1']);
  t.match(h.segments(0).at(-1), { speaker: 'SPEAKER_01' }, 'the client is told');
  release = [];
});

t.test('labels a voice that begins within an utterance before the utterance ends', async (t) => {
  const provider = new FakeProvider('local', ['en'], true);
  provider.manual = true;
  const h = new Harness({ tellVoices: tell, providers: [provider] });
  await h.open(0);
  const shown = (): string[] => h.segments(0).map(({ speaker, text }) => `${speaker} ${text}`);
  const says = async (text: string): Promise<void> => {
    const spoken = text.split(' ');
    const words = spoken.map((word, index) => ({ text: word, start: 1000 * index, end: 1000 * index + 900 }));
    provider.held.splice(0).at(-1)!.answer({ text, words });
    await h.tick(0);
    await h.tick(0);
  };
  h.stream(0, speech(1, 200));
  await h.settle();
  await says('This was one two.');
  t.match(shown(), [/^SPEAKER_00 This was one/]);
  h.stream(0, speech(2, 200));
  await h.settle();
  await says('This was one two. That is two three.');
  t.match(shown(), ['SPEAKER_00 This was one two.', /^SPEAKER_01 That is two/]);
  const ids = h.segments(0).map(({ id }) => id);
  h.stream(0, silence());
  await h.settle();
  await says('This was one two. That is two three.');
  t.same(shown(), ['SPEAKER_00 This was one two.', 'SPEAKER_01 That is two three.']);
  t.same(
    h.segments(0).map(({ id }) => id),
    ids,
    'final words have the segments in which they were shown',
  );
});

t.test('keeps a turn without a sentence end with its voice', async (t) => {
  const provider = new FakeProvider('local', ['en'], true);
  provider.manual = true;
  const h = new Harness({ tellVoices: tell, providers: [provider], settings: { interimWords: false } });
  await h.open(0);
  h.stream(0, [...speech(1, 200), ...speech(2, 200), ...silence()]);
  await h.settle();
  const text = 'yesterday evening everybody went and what did they say to you there';
  const words = text
    .split(' ')
    .map((word, index) => ({ text: word, start: 650 * index, end: 650 * index + 600 }));
  provider.held.splice(0).at(-1)!.answer({ text, words });
  await h.tick();
  await h.tick();
  t.same(
    h.segments(0).map((segment) => `${segment.speaker_id} ${segment.text}`),
    ['0 yesterday evening everybody went', '1 and what did they say to you there'],
  );
});

t.test('labels audio that waits for a late jobs pool in one job', async (t) => {
  const waiting: (() => void)[] = [];
  const h = new Harness({
    settings: { interimWords: false },
    tellVoices: async (job) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return tell(job);
    },
  });
  await h.open(0);
  for (let second = 0; second < 12; second++) {
    h.stream(0, speech(second < 6 ? 1 : 2, 50));
    await h.tick(1000);
  }
  h.stream(0, silence());
  await h.tick();
  for (let round = 0; round < 4; round++) {
    for (const go of waiting.splice(0)) go();
    await h.tick();
  }
  t.equal(h.metric('voices_told_total'), 2, 'what came first, then all the rest');
  t.equal(h.metric('voices_skipped_total'), 0);
});

t.test('assigns a person to the voice, not to the label that was shown first', async (t) => {
  const h = new Harness({ tellVoices: tell });
  await h.open(0);
  for (const voice of [1, 2]) await say(h, voice);
  h.text(0, {
    type: 'speaker_assigned',
    speaker_id: 1,
    person_id: 'ada',
    person_name: 'Ada',
    segment_ids: [],
  });
  await h.tick();
  for (const voice of [1, 2]) await say(h, voice);
  t.same(
    h.journal.live(h.conversationId(0)).map(({ segment }) => segment.person_id),
    [null, 'ada', null, 'ada'],
  );
});

t.test('sends words unchanged if diarization is unavailable', async (t) => {
  const table: readonly [string, TellVoices | undefined][] = [
    ['off', undefined],
    ['no speaker model', async () => undefined],
  ];
  for (const [why, tellVoices] of table) {
    const h = new Harness(tellVoices === undefined ? {} : { tellVoices });
    await h.open(0);
    for (const voice of [1, 2, 1]) await say(h, voice, 1);
    t.same([...new Set(speakers(h).map((one) => one.split(':')[1]))], ['0'], why);
    t.equal(h.metric('voices_skipped_total') > 0, tellVoices !== undefined, why);
  }
});

t.test('keeps channel labels of calls, and labels of client transcripts', async (t) => {
  let asked = 0;
  const h = new Harness({
    tellVoices: async (job) => {
      asked++;
      return tell(job);
    },
  });
  await h.open(0, { source: 'phone_call', format: { codec: 'pcm8', sampleRate: 8000, channels: 2 } });
  await h.open(1, { customStt: true });
  h.stream(1, [...speech(1), ...silence()]);
  h.text(1, { type: 'suggested_transcript', segments: [{ text: 'Mine.', speaker_id: 7, start: 0, end: 1 }] });
  await h.tick();
  t.equal(asked, 0);
  t.match(h.segments(1), [{ speaker_id: 7 }]);
});

/** Ends the conversation of slot 0 by silence. @returns its speaker labels when processing receives it. */
const finished = async (h: Harness): Promise<string[]> => {
  const finish = h.journal.finish.bind(h.journal);
  let then: string[] = [];
  h.journal.finish = (...words) => {
    then = speakers(h);
    return finish(...words);
  };
  await h.tick(600_000);
  return then;
};

t.test('revises all voices when a conversation ends, before it is processed', async (t) => {
  const asked: { count: number; named: readonly (readonly [number, string])[] }[] = [];
  const h = new Harness({
    tellVoices: tell,
    reviseVoices: async (history) => {
      asked.push(history);
      return history.voices.map((voice) => (voice === 1 ? 0 : voice));
    },
  });
  await h.open(0);
  // Sends more segments than memory holds.
  for (let round = 0; round < 70; round++) for (const voice of [1, 2]) await say(h, voice, 2);
  await say(h, 3);
  h.text(0, {
    type: 'speaker_assigned',
    speaker_id: 2,
    person_id: 'ada',
    person_name: 'Ada',
    segment_ids: [],
  });
  await h.tick();
  const before = speakers(h);
  t.same(new Set(before), new Set(['1:0', '2:1', '3:2']));
  t.same(new Set(await finished(h)), new Set(['1:0', '2:0', '3:2']));
  t.match(asked, [{ named: [[2, 'ada']] }]);
  t.same(h.segments(0), h.storedSegments(0), 'the client has what is stored');
  t.equal(h.metric('voices_revised_total'), 1);
});

t.test('gives voices over the maximum the labels of others, and changes nothing else', async (t) => {
  const { voices: rule, revision } = speakerModel('ge2e');
  const h = new Harness({
    tellVoices: tell,
    reviseVoices: async (history) => revisePacked(history, revision),
  });
  await h.open(0);
  const everyone = Array.from({ length: 14 }, (_, index) => index + 1);
  for (const voice of [...everyone, ...everyone]) await say(h, voice);
  const labels = (): Map<string, Set<string>> => {
    const found = new Map<string, Set<string>>();
    for (const [voice, label] of speakers(h).map((one) => one.split(':') as [string, string]))
      found.set(voice, (found.get(voice) ?? new Set()).add(label));
    return found;
  };
  const known = everyone.slice(0, rule.voices).map(String);
  for (const voice of known) t.same([...labels().get(voice)!], [String(Number(voice) - 1)]);
  t.equal(new Set(speakers(h).map((one) => one.split(':')[1])).size, rule.voices);
  const before = speakers(h).length;
  t.equal((await finished(h)).length, before, 'no segment is lost at the end');
  t.ok(new Set(speakers(h).map((one) => one.split(':')[1])).size <= rule.voices);
});

t.test('revises voices when a stream ends, once for the same speech', async (t) => {
  let asked = 0;
  const h = new Harness({
    tellVoices: tell,
    reviseVoices: async (history) => {
      asked++;
      return history.voices.map((voice) => (voice === 1 ? 0 : voice));
    },
  });
  await h.open(0);
  for (const voice of [1, 2]) await say(h, voice);
  for (let round = 0; round < 3; round++) {
    h.close(0);
    await h.tick();
    t.same(speakers(h), ['1:0', '2:0']);
    await h.open(0);
  }
  t.equal(asked, 1);
});

t.test('separates two people with one label at the end, and recognises them afterwards', async (t) => {
  const h = new Harness({
    // Simulates two similar voices: all windows are assigned to the first voice.
    tellVoices: async (job) => {
      const told = await tell(job);
      return (
        told && {
          ...told,
          moves: [],
          windows: told.windows.map((window) => ({ ...window, voice: 0 })),
          state: {
            ...told.state,
            voices: {
              ...told.state.voices,
              voices: told.state.voices.voices.slice(0, 1),
              windows: told.state.voices.windows.map((window) => ({ ...window, voice: 0 })),
              next: 1,
            },
          },
        }
      );
    },
    reviseVoices: async (history) => {
      const directions = Array.from({ length: history.count }, (_, index) =>
        history.directions.subarray(index * 16, (index + 1) * 16),
      );
      t.equal(history.next, 1);
      return Int32Array.from(directions, (direction) => (direction[2] === 127 ? history.next : 0));
    },
  });
  await h.open(0);
  for (const voice of [1, 2]) {
    await say(h, voice);
    // The silence is so long that the next words become a new segment.
    h.stream(0, silence(250));
    await h.tick(5000);
  }
  t.same(speakers(h), ['1:0', '2:0']);
  h.close(0);
  await h.tick();
  t.same(speakers(h), ['1:0', '2:1']);
});

t.test('ends a conversation although the jobs pool is late', async (t) => {
  const h = new Harness({ tellVoices: tell, reviseVoices: () => new Promise(() => undefined) });
  await h.open(0);
  for (const voice of [1, 2]) await say(h, voice);
  t.same(await finished(h), ['1:0', '2:1']);
});

t.test('keeps the labels if they cannot be revised', async (t) => {
  const h = new Harness({ tellVoices: tell, reviseVoices: async () => undefined });
  await h.open(0);
  for (const voice of [1, 2]) await say(h, voice);
  t.same(await finished(h), ['1:0', '2:1']);
  t.equal(h.metric('voices_unrevised_total'), 1);
});

t.test('keeps the voice of the first words of an utterance with more windows than the limit', async (t) => {
  const state = newVoiceStream(0, speakerModel('ge2e').voices);
  const pcm = new Int16Array(15 * 16_000).map((_, index) => (index < 16_000 * 4 ? 1 : 2));
  const { windows, state: after } = (await tell({ state, pcm, from: 0 }))!;
  t.ok(windows.length > after.voices.windows.length);
  t.match(
    [windows[0], windows.at(-1)].map((window) => window?.voice),
    [0, 1],
  );
  t.equal(new Set(windows.map(({ at }) => at)).size, windows.length);
});
