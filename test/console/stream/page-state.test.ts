/** Tests what the live page shows in addition to words: times of speech, the delay of words, shares of speakers. */
import t from 'tap';
import type { StreamMessage } from '../../../src/console/stream/messages.js';
import { sharesOf } from '../../../src/console/stream/shares.js';
import { SpeechTimes } from '../../../src/console/stream/speech-times.js';
import { WordDelay } from '../../../src/console/stream/word-delay.js';
import { emptySegment } from '../../../src/wire/segment.js';

const speech = (speaking: boolean, at: number): StreamMessage => ({ type: 'speech_activity', speaking, at });
const words: StreamMessage = { type: 'segments', segments: [emptySegment] };

t.test('the page knows the times of speech on the clock of the page', async (t) => {
  const times = new SpeechTimes();
  // The recording is 10 s long at 100,000 ms of the clock. Speech began 500 ms ago.
  times.message(speech(true, 9.5), 10_000, 100_000);
  t.same(times.spoken(100_200), [{ from: 99_500, to: 100_200 }], 'it goes on');
  times.message(speech(true, 9.9), 10_400, 100_400);
  times.message(speech(false, 11), 12_000, 102_000);
  t.same(times.spoken(102_000), [{ from: 99_500, to: 101_000 }]);
  times.message(speech(false, 11.5), 12_500, 102_500);
  t.equal(times.spoken(102_500).length, 1, 'an end without a begin changes nothing');
  times.message(words, 12_500, 102_500);
  t.same(times.spoken(160_000), [{ from: 100_000, to: 101_000 }], 'a minute is shown');
  t.same(times.spoken(161_001), []);
});

t.test('a lost connection ends speech that goes on', async (t) => {
  const times = new SpeechTimes();
  times.message(speech(true, 1), 2000, 50_000);
  times.end(51_000);
  t.same(times.spoken(60_000), [{ from: 49_000, to: 51_000 }]);
  times.message(speech(true, 3), 3000, 70_000);
  t.equal(times.spoken(70_000).length, 2);
});

t.test('a minute is kept, whatever comes', async (t) => {
  const times = new SpeechTimes();
  for (let second = 0; second < 1000; second++)
    times.message(speech(second % 2 === 0, second), second * 1000, second * 1000);
  t.ok(times.spoken(1_000_000).length <= 31);
});

t.test('the delay of words is the middle one of the last', async (t) => {
  const delay = new WordDelay();
  t.equal(delay.seconds, null);
  delay.message(words, 500);
  t.equal(delay.seconds, null, 'words without a known begin');
  const utterance = (began: number, arrived: number): void => {
    delay.message(speech(true, began / 1000), began + 200);
    delay.message({ type: 'segments', segments: [] }, began + 300);
    delay.message(words, arrived);
    delay.message(words, arrived + 1000);
  };
  utterance(1000, 2400);
  t.equal(delay.seconds, 1.4, 'the first words count');
  for (let at = 0; at < 9; at++) utterance(10_000 * at + 10_000, 10_000 * at + 12_000);
  t.equal(delay.seconds, 2);
});

t.test('shares of speakers follow the lengths of their segments', async (t) => {
  const segment = (id: string, speaker_id: number, start: number, end: number, is_user = false) => ({
    ...emptySegment,
    id,
    speaker_id,
    start,
    end,
    is_user,
  });
  t.same(sharesOf([]), []);
  t.match(
    sharesOf([
      segment('a', 1, 0, 6),
      segment('b', 0, 6, 8),
      segment('c', 1, 8, 8),
      segment('d', 0, 8, 10, true),
    ]),
    [
      { percent: 60, segment: { id: 'c' } },
      { percent: 40, segment: { id: 'd', is_user: true } },
    ],
  );
  t.match(sharesOf([segment('a', 0, 5, 5)]), [{ percent: 0 }], 'no length');
});
