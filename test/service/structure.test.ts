import fc from 'fast-check';
import t from 'tap';
import { summarise } from '../../src/service/rules/summarise.js';
import type { Transcript } from '../../src/service/structure/language/extractor.js';
import { statedMemories } from '../../src/service/structure/statements/memories.js';
import { statedProgress } from '../../src/service/structure/statements/progress.js';
import { conversationCategories } from '../../src/service/structure/summary/categories.js';
import { extractiveExtractor } from '../../src/service/structure/summary/extractive.js';
import { relevanceOf } from '../../src/service/structure/summary/relevance.js';
import { rulesHere } from '../../src/service/text/text-rules.js';
import type { LiveSegment } from '../../src/wire/segment.js';
import { saidSegment as segment } from '../support/texts/said-segment.js';

/** A Wednesday. */
const startedAt = new Date('2026-03-04T09:00:00Z');

const transcript = (...said: (string | LiveSegment)[]) => ({
  id: 'c1',
  language: 'en',
  startedAt,
  segments: said.map((one) => (typeof one === 'string' ? segment(one) : one)),
});
const structure = (...said: (string | LiveSegment)[]) => extractiveExtractor.extract(transcript(...said));

t.test('decides which transcripts are relevant', async (t) => {
  const hundred = Array.from({ length: 101 }, (_, index) => `thing${'abcdefghij'[index % 10]}`).join(' ');
  const cases: [text: string, keep: boolean | null, reason: string][] = [
    ['', false, 'empty_transcript'],
    [' … !', false, 'empty_transcript'],
    ["Okay, um, don't forget the milk", true, 'explicit_reminder'],
    ['Okay remind me', true, 'explicit_reminder'],
    ['add eggs to my shopping list', true, 'explicit_reminder'],
    ['Set a timer', true, 'explicit_reminder'],
    ['uh um okay right', false, 'filler_only'],
    ['uh '.repeat(400), false, 'filler_only'],
    [hundred, true, 'substantial_length'],
    ['会议'.repeat(80), true, 'substantial_length'],
    ['明日は会議があります', null, 'non_latin_content'],
    ['Завтра встреча', null, 'non_latin_content'],
    ['testing one two', false, 'mic_check'],
    ['testing 1 2 3', false, 'mic_check'],
    ['Testing, testing, one two three. Can you hear me now? Okay.', false, 'mic_check'],
    ['Mic check. Is this thing on? Hello?', false, 'mic_check'],
    ['can you hear me Maria', null, 'ambiguous'],
    ['Can you hear me? I need to book the hotel in Vienna', null, 'ambiguous'],
    ['can you hear me the plumber comes at noon', null, 'ambiguous'],
    ['Testing one two. The boiler is leaking again.', null, 'ambiguous'],
    ['Mic check. Ann sold the house', null, 'ambiguous'],
    ['Sound check, we sold 40 tickets', null, 'has_number'],
    ['it is about 40', null, 'has_number'],
    ['so it is what it is', false, 'no_content_words'],
    ['and then what about Paris', null, 'ambiguous'],
    ['yes', null, 'ambiguous'],
    ['no', null, 'ambiguous'],
    ['The bridge is closed', null, 'ambiguous'],
  ];
  for (const [text, keep, reason] of cases)
    t.same(relevanceOf([segment(text)]), { keep, reason }, text.slice(0, 40));
  t.same(relevanceOf([]), { keep: false, reason: 'empty_transcript' });
});

t.test('summarises conversations except discarded ones', async (t) => {
  let calls = 0;
  const counting = {
    ...rulesHere,
    name: 'counting',
    extract: (given: Transcript) => {
      calls++;
      return extractiveExtractor.extract(given);
    },
  };
  const discarded = await summarise(counting, transcript('uh okay'), 'ann');
  t.match(discarded, { discarded: true, structured: { title: '', overview: '', category: 'other' } });
  t.equal(calls, 0);
  const kept = await summarise(counting, transcript('The bridge is closed'), 'ann');
  t.match(kept, { discarded: false, generatedBy: 'counting', structured: { title: 'The bridge is closed' } });
  t.equal(calls, 1);
});

t.test('finds tasks and their due times', async (t) => {
  const cases: [text: string, description: string | null, due?: string | null][] = [
    [
      'I need to send the slides to Maria by Friday.',
      'Send the slides to Maria by Friday',
      '2026-03-06T12:00:00Z',
    ],
    [
      'Remind me to call my mother tomorrow at 6pm, please.',
      'Call my mother tomorrow at 6pm',
      '2026-03-05T18:00:00Z',
    ],
    ["Don't forget to water the plants", 'Water the plants', null],
    ['Don’t forget to water the plants', 'Water the plants', null],
    ["I've got to finish the report", 'Finish the report', null],
    [
      'Could you please book the room on Monday at 2pm?',
      'Book the room on Monday at 2pm',
      '2026-03-09T14:00:00Z',
    ],
    ['Okay, please send me the file', 'Send me the file', null],
    ['Note to self, buy batteries', 'Buy batteries', null],
    ['Add oat milk to my shopping list', 'Oat milk', null],
    ['We should probably cancel the subscription', 'Cancel the subscription', null],
    ['I have to say that was fun', null],
    ['I have to go now', null],
    ['I got to the station', null],
    ['You have to understand that', null],
    ['I sent the slides yesterday', null],
    ['I need to', null],
  ];
  for (const [text, description, due] of cases) {
    const { action_items: items } = await structure(text);
    if (description === null) t.same(items, [], text);
    else {
      t.match(items, [{ description, completed: false, completed_at: null, conversation_id: 'c1' }], text);
      t.equal(items[0]?.due_at, due, text);
    }
  }
  const twice = await structure('I need to buy bread.', 'I need to buy bread.');
  t.equal(twice.action_items.length, 1, 'a repeated sentence makes one task');
  const later = await structure(segment('I need to buy bread in two hours.', { start: 3600 }));
  t.match(
    later.action_items,
    [{ created_at: '2026-03-04T10:00:00Z', due_at: '2026-03-04T12:00:00Z' }],
    'counted from the time of the sentence',
  );
});

t.test('when the wearer is known, keeps only tasks of the wearer', async (t) => {
  const wearer = { is_user: true };
  const { action_items: items } = await structure(
    segment('I need to buy bread.', wearer),
    segment('I need to sell my car.'),
    segment('Can you send me the photos?'),
    segment('Could you pick up the parcel?', wearer),
  );
  t.same(
    items.map((item) => item.description),
    ['Buy bread', 'Send me the photos'],
  );
});

t.test('finds events and their times', async (t) => {
  const cases: [text: string, start: string | null, duration?: number][] = [
    ['The meeting is tomorrow at 10am.', '2026-03-05T10:00:00Z', 30],
    ["Let's have lunch on Thursday from 12 to 1pm.", '2026-03-05T12:00:00Z', 60],
    ["Let's have lunch together on Thursday at noon to 1pm.", '2026-03-05T12:00:00Z'],
    ['The wedding is on June 5th.', '2026-06-05T12:00:00Z', 30],
    ['My flight leaves on Monday at 7:45.', '2026-03-09T07:45:00Z', 30],
    ['The meeting yesterday at 10 was long.', null],
    ['The meeting is over now.', null],
    ['I will paint on Friday.', null],
    ['The meeting was good.', null],
  ];
  for (const [text, start, duration] of cases) {
    const { events } = await structure(text);
    if (start === null) t.same(events, [], text);
    else
      t.match(events, [{ start, created: false, description: '', ...(duration ? { duration } : {}) }], text);
  }
});

t.test('takes title, overview and category from the transcript', async (t) => {
  const { title, overview, category, emoji } = await structure(
    'Hey there, thanks for joining.',
    'So the software budget is about twenty percent over the plan.',
    'The budget for software grew because of the cloud servers and the database.',
    'Okay.',
  );
  t.match(title, /software/i);
  t.ok(title.length <= 80);
  t.match(overview, /The budget for software grew because of the cloud servers and the database\./);
  t.notMatch(overview, /Hey there/);
  t.same([category, emoji], ['technology', '💻']);
  const joined = await structure(
    'By the way, I am allergic to peanuts, so please tell the restaurant. and remind me to call the dentist at 9.',
  );
  t.match(
    joined.overview,
    /restaurant\. (?:And r|R)emind me/,
    'a sentence may begin with a lower-case letter',
  );
  const subjects: [text: string, category: string][] = [
    ['The doctor at the hospital gave me a prescription', 'health'],
    ['We booked the flight and the hotel at the airport', 'travel'],
    ['The band played a song on the guitar', 'music'],
    ['My mother and my sister came with the children', 'family'],
    ['Rain and a storm, says the forecast', 'weather'],
    ['Blue triangles fold inward', 'other'],
  ];
  for (const [text, expected] of subjects) t.equal((await structure(text)).category, expected, text);
  t.equal(conversationCategories.length, 33);
});

t.test('makes tasks only from statements that the speaker will do something', async (t) => {
  const cases: [text: string, ...descriptions: string[]][] = [
    ["I'll send you the contract by Friday.", 'Send the contract by Friday'],
    ['We need to file the report before Tuesday', 'File the report before Tuesday'],
    ["I'm going to call the bank tomorrow", 'Call the bank tomorrow'],
    ["I'll be right back"],
    ["I'll see you tomorrow"],
    ["I'll do it now"],
    ['If it rains I need to cancel the picnic'],
    ["I don't need to call the bank"],
    ['Do I need to renew the permit?'],
    ['He said I need to call the bank'],
    ['Yesterday I had to call the bank'],
    ['I would have to sell the car'],
    ['Maybe I should call the bank'],
    ['I might call the bank tomorrow'],
    ['We have to be careful'],
    ['When I get home I need to call my mother', 'Call my mother'],
  ];
  for (const [text, ...descriptions] of cases) {
    const { action_items: items } = await structure(text);
    t.same(
      items.map(({ description }) => description),
      descriptions,
      text,
    );
  }
  const { action_items: none } = await structure('I need to book the hotel.', 'Oh, never mind.');
  t.same(none, [], 'a withdrawn task');
  const { action_items: one } = await structure(
    'I need to call the plumber about the sink.',
    'So I have to call the plumber about the sink tomorrow.',
  );
  t.equal(one.length, 1, 'one task per topic');
});

t.test("due dates are in the user's time zone", async (t) => {
  const cases: [zone: string, text: string, due: string][] = [
    ['UTC', 'Remind me to call Tom tomorrow at 8am', '2026-03-05T08:00:00Z'],
    ['Europe/Berlin', 'Remind me to call Tom tomorrow at 8am', '2026-03-05T07:00:00Z'],
    // In this zone, the conversation starts on Tuesday.
    ['America/Los_Angeles', 'Remind me to call Tom tomorrow at 8am', '2026-03-04T16:00:00Z'],
    // Summer time begins between the conversation and the task.
    ['Europe/Berlin', 'Remind me to call Tom on the thirtieth of March at 8am', '2026-03-30T06:00:00Z'],
    ['Asia/Kolkata', 'Remind me to call Tom on Friday', '2026-03-06T06:30:00Z'],
    ['Europe/Berlin', 'Remind me to call Tom before Friday', '2026-03-05T11:00:00Z'],
    ['Europe/Berlin', 'Remind me to call Tom on Wednesday', '2026-03-11T11:00:00Z'],
    ['Europe/Berlin', 'Remind me to call Tom on Thursday at three', '2026-03-05T14:00:00Z'],
  ];
  for (const [timeZone, text, due] of cases) {
    const { action_items: items } = await extractiveExtractor.extract({
      ...transcript(text),
      startedAt: new Date('2026-03-04T07:30:00Z'),
      timeZone,
    });
    t.equal(items[0]?.due_at, due, `${timeZone}: ${text}`);
  }
});

t.test('processing time grows linearly with the length of a text', async (t) => {
  const parts = [
    'a',
    'a ',
    "'",
    '-',
    'a-',
    '.',
    'Dr. ',
    ', um,',
    ', you know,',
    'the the ',
    'I need to ',
    "don't forget ",
    'my favourite a ',
    'i go a ',
    'on monday ',
    '1,',
    'two ',
    'remind me to buy milk and call ann and ',
    'i need to call ann, no, bob, i mean, ',
    'i have to pay at five to six on the first of ',
    'call April in a week and a half ',
    'Aa ',
    'on christmas the 31st of ',
    'between one and half past ',
    '会',
    '\n',
  ];
  const cpu = async (text: string): Promise<number> => {
    const given = transcript(text);
    const before = process.cpuUsage();
    await extractiveExtractor.extract(given);
    statedMemories(given);
    statedProgress(given, [{ id: 'g', title: 'Run far', unit: 'km' }]);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  await cpu('Load what is loaded once.');
  for (const part of parts) {
    const short = part.repeat(10_000 / part.length);
    const once = Math.max(await cpu(short), 20_000);
    const eightTimes = await cpu(short.repeat(8));
    t.ok(eightTimes < 32 * once, `${JSON.stringify(part)}: ${eightTimes} of ${once} microseconds`);
  }
});

t.test('every transcript gets a summary that can be stored', async () => {
  const words = fc.constantFrom(
    'meeting',
    'tomorrow',
    'at',
    '10',
    'I',
    'need',
    'to',
    'call',
    '🧠🧠',
    '\ud83e\udde0',
    'ok.',
    '会议',
    '…',
    "don't",
    'forget',
  );
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(words, { maxLength: 300 }).map((list) => list.join(' ')),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 6 }), async (texts) => {
      const made = await structure(...texts);
      if (
        /\p{Surrogate}/u.test(
          [made.title, made.overview, ...made.action_items.map((item) => item.description)].join(),
        )
      )
        return false;
      return (
        made.title !== '' &&
        made.title.length <= 80 &&
        made.overview.length <= 700 &&
        conversationCategories.includes(made.category)
      );
    }),
    { numRuns: 150 },
  );
});
