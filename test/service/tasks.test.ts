/**
 * Tests tasks and due times in spoken language, from the sentences of `fixtures/structure/tasks.json`. Detection, text and due time must
 * be exact. `first` has tasks and other sentences for every kind of fault. `more` was added while the rules were developed.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import t from 'tap';
import { z } from 'zod';
import { statedMemories } from '../../src/service/structure/statements/memories.js';
import { statedProgress } from '../../src/service/structure/statements/progress.js';
import { extractiveExtractor } from '../../src/service/structure/summary/extractive.js';
import { saidSegment } from '../support/texts/said-segment.js';

const row = z.object({
  said: z.string(),
  at: z.iso.datetime().optional(),
  time_zone: z.string().optional(),
  tasks: z.array(z.tuple([z.string(), z.iso.datetime().nullable()])),
});
const schema = z.object({
  at: z.iso.datetime(),
  time_zone: z.string(),
  first: z.array(row),
  more: z.array(row),
});
const file = fileURLToPath(new URL('../../../fixtures/structure/tasks.json', import.meta.url));
const fixture = schema.parse(JSON.parse(readFileSync(file, 'utf8')));

const transcript = (text: string, more: { at?: string; zone?: string; language?: string } = {}) => ({
  id: 'c1',
  language: more.language ?? 'en',
  startedAt: new Date(more.at ?? fixture.at),
  timeZone: more.zone ?? fixture.time_zone,
  segments: [saidSegment(text)],
});

const tasksOf = async (text: string, more: Parameters<typeof transcript>[1] = {}) => {
  const { action_items: items } = await extractiveExtractor.extract(transcript(text, more));
  return items.map(({ description, due_at: due }) => [description, due]);
};

for (const set of ['first', 'more'] as const) {
  t.test(`finds tasks, their texts and due times: ${set}`, async (t) => {
    t.ok(fixture[set].length >= 100);
    t.ok(
      fixture[set].filter(({ tasks }) => tasks.length > 0).length >= 50,
      'at least 50 sentences with tasks',
    );
    t.ok(
      fixture[set].filter(({ tasks }) => tasks.length === 0).length >= 30,
      'at least 30 sentences without tasks',
    );
    for (const { said, at, time_zone: zone, tasks } of fixture[set])
      t.same(await tasksOf(said, { at, zone }), tasks, said);
  });
}

/** Spoken times, said on Monday 2026-11-23 at 10:00. Null: the sentence has no time. */
const times: readonly (readonly [said: string, due: string | null])[] = [
  ['at 15:45', '2026-11-23T15:45:00Z'],
  ['half past five', '2026-11-23T17:30:00Z'],
  ['at half past five tomorrow', '2026-11-24T17:30:00Z'],
  ['quarter to four', '2026-11-23T15:45:00Z'],
  ['at quarter past 7', '2026-11-24T07:15:00Z'],
  ['a week from Friday', '2026-12-04T12:00:00Z'],
  ['the 29th at 5 pm', '2026-11-29T17:00:00Z'],
  ['on the 29th', '2026-11-29T12:00:00Z'],
  ['in an hour and a half', '2026-11-23T11:30:00Z'],
  ['in one and a half hours', '2026-11-23T11:30:00Z'],
  ['in two and a half hours', '2026-11-23T12:30:00Z'],
  ['in 2.5 hours', '2026-11-23T12:30:00Z'],
  ['in 1 hour and 30 minutes', '2026-11-23T11:30:00Z'],
  ['in half an hour', '2026-11-23T10:30:00Z'],
  ['in twenty minutes', '2026-11-23T10:20:00Z'],
  ['in a couple of days', '2026-11-25T12:00:00Z'],
  ['in a few hours', '2026-11-23T13:00:00Z'],
  ['in a fortnight', '2026-12-07T12:00:00Z'],
  ['at six thirty', '2026-11-23T18:30:00Z'],
  ['at 6 30', '2026-11-23T18:30:00Z'],
  ["at five o'clock", '2026-11-23T17:00:00Z'],
  ['at five pm', '2026-11-23T17:00:00Z'],
  ['june fifth', '2027-06-05T12:00:00Z'],
  ['the fifth of june', '2027-06-05T12:00:00Z'],
  ['june the fifth at two', '2027-06-05T14:00:00Z'],
  ['december twenty fifth', '2026-12-25T12:00:00Z'],
  ['on the first', '2026-12-01T12:00:00Z'],
  ['on the first floor', null],
  ['from 3 to 4 pm', '2026-11-23T15:00:00Z'],
  ['between 3 and 4 pm', '2026-11-23T15:00:00Z'],
  ['between three and four', '2026-11-23T15:00:00Z'],
  ['tonight at 8', '2026-11-23T20:00:00Z'],
  ['tomorrow evening at 7', '2026-11-24T19:00:00Z'],
  ['this evening at seven', '2026-11-23T19:00:00Z'],
  ['today at 9', '2026-11-23T21:00:00Z'],
  ['at 8 in the evening', '2026-11-23T20:00:00Z'],
  ['at nine at night', '2026-11-23T21:00:00Z'],
  ['nine in the morning', '2026-11-24T09:00:00Z'],
  ['tomorrow at noon', '2026-11-24T12:00:00Z'],
  ['noon tomorrow', '2026-11-24T12:00:00Z'],
  ['Friday at noon', '2026-11-27T12:00:00Z'],
  ['by end of day', '2026-11-23T17:00:00Z'],
  ['by the end of the day tomorrow', '2026-11-24T17:00:00Z'],
  ['by the end of the week', '2026-11-27T12:00:00Z'],
  ['by the end of next week', '2026-12-04T12:00:00Z'],
  ['by the end of the month', '2026-11-30T12:00:00Z'],
  ['at the end of the year', '2026-12-31T12:00:00Z'],
  ['next weekend', '2026-12-05T12:00:00Z'],
  ['on the weekend', '2026-11-28T12:00:00Z'],
  ['this weekend', '2026-11-28T12:00:00Z'],
  ['Friday week', '2026-12-04T12:00:00Z'],
  ['the day after tomorrow at 5', '2026-11-25T17:00:00Z'],
  ['in the morning at 9', '2026-11-24T09:00:00Z'],
  ['tomorrow morning at 7:30', '2026-11-24T07:30:00Z'],
  ['Monday morning', '2026-11-30T06:00:00Z'],
  ['Friday night', '2026-11-27T22:00:00Z'],
  ['next Friday at 5', '2026-12-04T17:00:00Z'],
  ['next Friday', '2026-12-04T12:00:00Z'],
  ['this Friday', '2026-11-27T12:00:00Z'],
  ['next week', '2026-11-30T12:00:00Z'],
  ['next month', '2026-12-23T12:00:00Z'],
  ['in three days', '2026-11-26T12:00:00Z'],
  ['in 3 weeks', '2026-12-14T12:00:00Z'],
  ['in two and a half days', '2026-11-25T22:00:00Z'],
  ['this week', null],
  ['this month', null],
  ['in April', '2027-04-01T12:00:00Z'],
  ['April 5', '2027-04-05T12:00:00Z'],
  ['Aunt June', null],
  ['the Sunday Times', null],
  ['tomorrow 9 am', '2026-11-24T09:00:00Z'],
  ['Saturday afternoon at 2', '2026-11-28T14:00:00Z'],
  ["2 o'clock Saturday", '2026-11-28T14:00:00Z'],
  ['at midnight', '2026-11-24T00:00:00Z'],
  ['in the evening', '2026-11-23T20:00:00Z'],
  ['in the morning', '2026-11-24T06:00:00Z'],
  ['last Friday', null],
  ['last week', null],
  ['yesterday', null],
  ['within the hour', '2026-11-23T11:00:00Z'],
  ['within 24 hours', '2026-11-24T10:00:00Z'],
  ['in 24 hours', '2026-11-24T10:00:00Z'],
  ['after 5 pm', '2026-11-23T17:00:00Z'],
  ['after 6', '2026-11-23T18:00:00Z'],
  ['by 5', '2026-11-23T17:00:00Z'],
  ['before 9', '2026-11-24T09:00:00Z'],
  ['until 6', '2026-11-23T18:00:00Z'],
  ['around 7', '2026-11-24T07:00:00Z'],
  ['at about 7', '2026-11-24T07:00:00Z'],
  ['later today', '2026-11-23T12:00:00Z'],
  ['the 3rd of next month', '2026-12-03T12:00:00Z'],
  ['by the first of the month', '2026-12-01T12:00:00Z'],
  ['monday the 30th', '2026-11-30T12:00:00Z'],
  ['Monday, November 30 at 9 a.m.', '2026-11-30T09:00:00Z'],
  ['at 5:30 p.m. tomorrow', '2026-11-24T17:30:00Z'],
  ['ten minutes before noon', '2026-11-23T11:50:00Z'],
  ['at ten to nine', '2026-11-24T08:50:00Z'],
  ['at ten past seven', '2026-11-24T07:10:00Z'],
  ['in a quarter of an hour', '2026-11-23T10:15:00Z'],
  ['in three quarters of an hour', '2026-11-23T10:45:00Z'],
  ["in two hours' time", '2026-11-23T12:00:00Z'],
  ['in 45 mins', '2026-11-23T10:45:00Z'],
  ['at 8:00', '2026-11-24T08:00:00Z'],
  ['20:00 tonight', '2026-11-23T20:00:00Z'],
  ['every Monday at 9', '2026-11-30T09:00:00Z'],
  ['on Mondays', null],
  ['tomorrow or Friday', '2026-11-24T12:00:00Z'],
  ['before Friday', '2026-11-26T12:00:00Z'],
  ['before Friday at 5', '2026-11-27T17:00:00Z'],
  ['before 5pm', '2026-11-23T17:00:00Z'],
  ['before the end of april', '2027-04-29T12:00:00Z'],
  ['12/24', '2026-12-24T12:00:00Z'],
  ['24/12', '2026-12-24T12:00:00Z'],
  ['on 2026-12-24', '2026-12-24T12:00:00Z'],
  ['before Christmas', '2026-12-24T12:00:00Z'],
  ['on Christmas Eve', '2026-12-24T12:00:00Z'],
  ['the Christmas party', null],
  ['at five people', null],
  ['at 5 Main Street', null],
  ['on Friday, at 5 pm', '2026-11-27T17:00:00Z'],
  ['5pm Friday', '2026-11-27T17:00:00Z'],
  ['at nine fifteen', '2026-11-24T09:15:00Z'],
  ['at 9:15 tomorrow', '2026-11-24T09:15:00Z'],
  ['at 7:05 tomorrow morning', '2026-11-24T07:05:00Z'],
  ['tomorrow six thirty', '2026-11-24T18:30:00Z'],
  ['next week Friday', '2026-12-04T12:00:00Z'],
  ['friday next week', '2026-12-04T12:00:00Z'],
  ['the week after next', '2026-12-07T12:00:00Z'],
  ['thursday at three', '2026-11-26T15:00:00Z'],
  ['at noon', '2026-11-23T12:00:00Z'],
  ['at one', '2026-11-23T13:00:00Z'],
  ['at one point', null],
  ['at 12', '2026-11-23T12:00:00Z'],
  ['at twelve thirty', '2026-11-23T12:30:00Z'],
  ['today', '2026-11-23T12:00:00Z'],
  ['tonight', '2026-11-23T22:00:00Z'],
  ['this evening', '2026-11-23T20:00:00Z'],
  ['this afternoon', '2026-11-23T15:00:00Z'],
  ['this morning', null],
  ['tomorrow night', '2026-11-24T22:00:00Z'],
  ['on the evening of the 29th', '2026-11-29T20:00:00Z'],
  ['on Monday', '2026-11-30T12:00:00Z'],
  ['on Tuesday', '2026-11-24T12:00:00Z'],
  ['by tuesday at ten', '2026-11-24T10:00:00Z'],
  ['in the next two hours', '2026-11-23T12:00:00Z'],
  ['in an hour', '2026-11-23T11:00:00Z'],
  ['in a week', '2026-11-30T12:00:00Z'],
  ['a week from today', '2026-11-30T12:00:00Z'],
  ['a week from tomorrow', '2026-12-01T12:00:00Z'],
  ['in a year', '2027-11-23T12:00:00Z'],
  ['in two years', '2028-11-23T12:00:00Z'],
  ['an hour before noon', '2026-11-23T11:00:00Z'],
  ['three days after the 29th', '2026-12-02T12:00:00Z'],
  ['on the twenty ninth', '2026-11-29T12:00:00Z'],
  ['on the 5th of December', '2026-12-05T12:00:00Z'],
  ['Dec 5', '2026-12-05T12:00:00Z'],
  ['9 to 5', null],
  ['by the fifteenth', '2026-12-15T12:00:00Z'],
  ['at 5 p.m. on the 29th', '2026-11-29T17:00:00Z'],
  ['first thing tomorrow', '2026-11-24T12:00:00Z'],
  ['Wednesday at 14:00', '2026-11-25T14:00:00Z'],
  ['at 0:30', '2026-11-24T00:30:00Z'],
  ['in 10 minutes', '2026-11-23T10:10:00Z'],
  ['in ten', null],
  ['in two to three days', '2026-11-25T12:00:00Z'],
  ['at seven sharp', '2026-11-24T07:00:00Z'],
  ['in the afternoon', '2026-11-23T15:00:00Z'],
  ['tomorrow afternoon', '2026-11-24T15:00:00Z'],
  ['Tuesday and Thursday', '2026-11-24T12:00:00Z'],
  ['from Monday to Friday', '2026-11-30T12:00:00Z'],
  ['by the 31st', '2026-12-31T12:00:00Z'],
  ['on October the 2nd', '2027-10-02T12:00:00Z'],
  ['by the end of Dec', '2026-12-31T12:00:00Z'],
  ['before the very last day of this month', '2026-11-29T12:00:00Z'],
  ['by the last day of the week', '2026-11-27T12:00:00Z'],
  ['by the end of the month before I leave', '2026-11-30T12:00:00Z'],
  ['at six:30', '2026-11-23T18:30:00Z'],
  ['at one 45', '2026-11-23T13:45:00Z'],
  ['on the 0th', null],
  ['on the 30th', '2026-11-30T12:00:00Z'],
  ['by seven tonight', '2026-11-23T19:00:00Z'],
  ['at eleven tonight', '2026-11-23T23:00:00Z'],
  ['at 10 a.m.', '2026-11-24T10:00:00Z'],
  ['at 11 a.m.', '2026-11-23T11:00:00Z'],
  ['at 12 a.m.', '2026-11-24T00:00:00Z'],
  ['12:30 pm', '2026-11-23T12:30:00Z'],
  ['in half a year', '2027-05-23T12:00:00Z'],
  ['at 5ish', '2026-11-23T17:00:00Z'],
  ['in 30 seconds', '2026-11-23T10:00:30Z'],
  ['three weeks from now', '2026-12-14T12:00:00Z'],
  ['a month from now', '2026-12-23T12:00:00Z'],
  ['an hour from now', '2026-11-23T11:00:00Z'],
];

t.test('reads due times from spoken dates and times', async (t) => {
  for (const [said, due] of times) {
    const [task] = await tasksOf(`Remind me to call Ann ${said}`);
    t.equal(task?.[1] ?? null, due, said);
  }
});

t.test("days follow the user's clock, and durations do not", async (t) => {
  const cases: [zone: string, at: string, said: string, due: string][] = [
    // Clocks go back in New York in the night to November 1, and forward in Berlin in the night to March 29.
    ['America/New_York', '2026-10-31T18:00:00Z', 'in two days', '2026-11-02T17:00:00Z'],
    ['America/New_York', '2026-10-31T18:00:00Z', 'in 24 hours', '2026-11-01T18:00:00Z'],
    ['America/New_York', '2026-10-31T18:00:00Z', 'tomorrow at 2 pm', '2026-11-01T19:00:00Z'],
    ['Europe/Berlin', '2026-03-28T20:00:00Z', 'in six and a half hours', '2026-03-29T02:30:00Z'],
    ['Europe/Berlin', '2026-03-28T20:00:00Z', 'tomorrow at 8', '2026-03-29T06:00:00Z'],
    ['Europe/Berlin', '2026-03-28T20:00:00Z', 'in one day', '2026-03-29T10:00:00Z'],
    ['Europe/Berlin', '2026-03-28T20:00:00Z', 'a week from Sunday', '2026-04-05T10:00:00Z'],
    ['Asia/Tokyo', '2026-11-23T16:00:00Z', 'tomorrow at 9 a.m.', '2026-11-25T00:00:00Z'],
    ['America/Los_Angeles', '2026-11-24T05:00:00Z', 'tonight at eleven', '2026-11-24T07:00:00Z'],
  ];
  for (const [zone, at, said, due] of cases)
    t.same(await tasksOf(`Remind me to call Ann ${said}.`, { zone, at }), [[`Call Ann ${said}`, due]], said);
});

t.test("the process's own zone does not change a due time", async (t) => {
  const { TZ: before } = process.env;
  t.teardown(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });
  for (const zone of ['America/Los_Angeles', 'UTC', 'Pacific/Auckland']) {
    process.env.TZ = zone;
    for (const said of ['on January 31', 'by the end of January', 'on 1/31'])
      t.same(
        await tasksOf(`Remind me to call Ann ${said}`, { at: '2027-01-31T10:00:00Z' }),
        [[`Call Ann ${said}`, '2027-01-31T12:00:00Z']],
        `${zone}: ${said}`,
      );
  }
});

t.test('a correction in the next sentence counts, and takes a task back', async (t) => {
  t.same(await tasksOf('Remind me to call Ann on Tuesday. No wait, Thursday.'), [
    ['Call Ann on Thursday', '2026-11-26T12:00:00Z'],
  ]);
  t.same(await tasksOf('Remind me to pay by the end of April, no, Friday.'), [
    ['Pay by Friday', '2026-11-27T12:00:00Z'],
  ]);
  t.same(await tasksOf('I need to buy milk and call Ann. Never mind.'), []);
});

t.test('the text of a task consists of spoken words, in any surrounding sentence', async () => {
  const leads = [
    '',
    'He said the car is ready, so ',
    'Maybe we eat out, but ',
    'um ',
    'If it rains tomorrow, ',
    'She never called, so ',
  ];
  const phrases = ['remind me to ', "don't forget to ", 'note to self: ', 'please remind me to '];
  const things = [
    'call Dr. Smith',
    'pay $4,000',
    'update version 2.5',
    'email ann@example.org',
    'visit www.example.org',
    'buy milk, eggs and bread',
  ];
  const dates = ['', ' at 5:30 p.m. tomorrow', ' by Friday', ' on the 29th', ' in an hour and a half'];
  const tails = ['.', '', ' because it was never done.', ', I already told them.', '. He left yesterday.'];
  await fc.assert(
    fc.asyncProperty(
      ...([leads, phrases, things, dates, tails].map((list) => fc.constantFrom(...list)) as [
        fc.Arbitrary<string>,
        fc.Arbitrary<string>,
        fc.Arbitrary<string>,
        fc.Arbitrary<string>,
        fc.Arbitrary<string>,
      ]),
      async (lead, phrase, thing, date, tail) => {
        const [found, ...more] = await tasksOf(`${lead}${phrase}${thing}${date}${tail}`);
        const text = `${thing}${date}`.replace(/^./, (letter) => letter.toUpperCase());
        return more.length === 0 && found?.[0] === text && (date === '' || found[1] !== null);
      },
    ),
    { numRuns: 300 },
  );
});

t.test('denied, assumed, asked or reported actions make no task, with and without punctuation', async (t) => {
  const leads = [
    'There is no way ',
    "There's no reason ",
    'Nobody said ',
    'No one told me ',
    "I don't think ",
    'I doubt ',
    "It's not true that ",
    'I never said ',
    'He says ',
    'She told me that ',
    'My boss thinks ',
    'My mom keeps saying ',
    'Ann insisted that ',
    'I wonder if ',
    "I'm not sure if ",
    "I don't know whether ",
    'If it rains ',
    'If it rains, ',
    'Unless he pays, ',
    'What if ',
    'Imagine ',
    'Suppose ',
    "Let's say ",
    'Maybe ',
    'Perhaps ',
    'Why do ',
    'When do ',
    'Do ',
    'How often do ',
    'In the movie he says, ',
    'She was like, ',
    'Every day ',
    'Usually ',
    'On Mondays ',
    'Whenever it rains ',
    'Back then ',
    'Otherwise ',
    'According to Tom ',
    'I wish ',
    'As if ',
    'Who says ',
    'The letter says ',
    'Is it true that ',
    'People say ',
    'I thought ',
  ];
  for (const lead of leads) {
    for (const phrase of ['I need to ', 'we have to ', 'I must ', "I've got to "]) {
      const said = `${lead}${phrase}call Ann on Friday`;
      t.same(
        await tasksOf(`${said}${/^(?:Why|When|Do|How|Is|What|Who)\b/.test(lead) ? '?' : '.'}`),
        [],
        said,
      );
      t.same(
        await tasksOf(said.toLowerCase().replaceAll(/[.,]/g, '')),
        [],
        `${said}, without punctuation as from speech recognition`,
      );
    }
  }
});

const foreign: Readonly<Record<string, readonly string[]>> = {
  es: [
    'Recuérdame llamar a Ana mañana a las cinco de la tarde, por favor, y el lunes a las 10.',
    'Tengo que pagar el alquiler antes del viernes. La reunión con el date es a las 5 pm, no te olvides.',
    'Me llamo Lucía, soy alérgica a los cacahuetes y vivo en Madrid con mi hermana.',
  ],
  fr: [
    "Rappelle-moi d'appeler Anne demain à 17 h, s'il te plaît. Le meeting est vendredi à 5 pm.",
    'Je dois payer le loyer avant le 29, sinon on a un call important lundi matin.',
    "Je m'appelle Chloé, je suis allergique aux arachides et j'habite à Lyon.",
  ],
  de: [
    'Erinnere mich daran, morgen um 5 Anna anzurufen. Das Meeting ist am Freitag um 5 pm.',
    'Ich muss bis Freitag die Miete bezahlen, wir haben am Montag ein Date und einen Call.',
    'Ich bin allergisch gegen Nüsse, wohne in Berlin und heiße Jürgen.',
  ],
  ru: [
    'Напомни мне позвонить Анне завтра в 5. Встреча в пятницу в 17:00.',
    'Мне нужно заплатить за квартиру до пятницы, у нас call в понедельник.',
    'Меня зовут Ольга, я живу в Москве, у меня аллергия на орехи.',
  ],
};

t.test('finds nothing in other languages than English, for any language setting', async (t) => {
  const goals = [{ id: 'g', title: 'Save', unit: 'km' }];
  for (const [own, texts] of Object.entries(foreign)) {
    for (const language of [own, 'en', 'multi', '']) {
      for (const text of texts) {
        const given = transcript(text, { language });
        const { action_items: items, events } = await extractiveExtractor.extract(given);
        const found = [items, events, statedMemories(given), statedProgress(given, goals)];
        t.same(found, [[], [], [], []], `${language || 'none'}: ${text}`);
      }
    }
  }
  for (const language of ['es', 'fr', 'de', 'ru', 'hr', 'multi', ''])
    t.same(
      await tasksOf('Remind me to call Ann tomorrow.', { language }),
      [['Call Ann tomorrow', '2026-11-24T12:00:00Z']],
      `English text with language ${language || 'none'}`,
    );
});
