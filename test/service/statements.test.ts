/**
 * Tests facts found in a conversation without a language model, in addition to its summary: memories, progress of goals, summary of a day.
 */
import t from 'tap';
import { statedMemories } from '../../src/service/structure/statements/memories.js';
import { statedProgress } from '../../src/service/structure/statements/progress.js';
import { builtInDailySummary } from '../../src/service/structure/summary/daily.js';
import type { LiveSegment } from '../../src/wire/segment.js';
import { saidSegment as segment } from '../support/texts/said-segment.js';

const transcript = (...said: (string | LiveSegment)[]) => ({
  id: 'c1',
  language: 'en',
  startedAt: new Date('2026-03-04T09:00:00Z'),
  segments: said.map((one) => (typeof one === 'string' ? segment(one) : one)),
});

const memoriesOf = (...said: (string | LiveSegment)[]) =>
  statedMemories(transcript(...said)).map(({ content }) => content);

t.test('memories are facts that speakers state about themselves', async (t) => {
  const cases: [said: string, ...memories: string[]][] = [
    [
      "So um I'm allergic to peanuts and I work as a nurse.",
      'The user is allergic to peanuts',
      'The user works as a nurse',
    ],
    ['my daughter Ella starts school in September', "The user's daughter Ella starts school in September"],
    ["I'm a nurse in Portland", 'The user is a nurse in Portland'],
    ['I prefer tea to coffee in the morning, you know', 'The user prefers tea to coffee in the morning'],
    ['I don’t eat meat.', 'The user does not eat meat'],
    ['I never drink coffee after lunch', 'The user never drinks coffee after lunch'],
    ["i'm allergic to penicillin by the way", 'The user is allergic to penicillin'],
    ['I live in Berlin with my sister', 'The user lives in Berlin with their sister'],
    ["I'm married to Tom", 'The user is married to Tom'],
    ['I have two kids', 'The user has two kids'],
    ['I have asthma', 'The user has asthma'],
    ['My wife works at the hospital', "The user's wife works at the hospital"],
    ['my son is called Tom and he plays football', "The user's son is called Tom"],
    ['I run every morning before work', 'The user runs every morning'],
    ['I speak French and a bit of Spanish', 'The user speaks French and a bit of Spanish'],
    ['I love hiking in the mountains', 'The user loves hiking in the mountains'],
    ['My favorite food is lasagna', "The user's favourite food is lasagna"],
    ['My birthday is on the third of May', "The user's birthday is on the third of May"],
    ['My name is Anna Lopez', "The user's name is Anna Lopez"],
    ["I'm learning Italian", 'The user is learning Italian'],
    ['I love it'],
    ['I love your dress'],
    ['I hate the rain'],
    ['I like that'],
    ['I have to go'],
    ["I'm tired"],
    ["I'm not allergic to nuts"],
    ["If I'm allergic to cats I cannot come"],
    ["Am I allergic to cats? I'm asking for a friend"],
    ["She said I'm a teacher"],
    ['I wish I was a pilot'],
    ['I used to smoke'],
    ['I would love to live in Paris'],
    ['In the film the man says I live in Rome'],
    ['You live in Berlin and work as a nurse'],
    ['My wife is late'],
    ['Do I live in Berlin?'],
  ];
  for (const [said, ...memories] of cases) t.same(memoriesOf(said), memories, said);
});

t.test('keeps at most two memories, the most lasting ones, each once', async (t) => {
  t.same(
    memoriesOf(
      'I love hiking.',
      'I live in Oslo.',
      'I live in Oslo.',
      "And I'm allergic to shellfish.",
      'I play chess.',
    ),
    ['The user is allergic to shellfish', 'The user lives in Oslo'],
  );
  t.same(
    statedMemories({ ...transcript('I live in Oslo.'), userName: 'Maria' }),
    [{ content: 'Maria lives in Oslo', category: 'system' }],
    "with the user's name",
  );
});

t.test('with several speakers, keeps only memories of the user', async (t) => {
  const other = { speaker: 'SPEAKER_01', speaker_id: 1 };
  t.same(memoriesOf(segment('I live in Oslo.', { is_user: true }), segment('I live in Rome.', other)), [
    'The user lives in Oslo',
  ]);
  t.same(memoriesOf('I live in Oslo.', segment('I live in Rome.', other)), [], 'two unknown speakers');
});

t.test('progress is a number with the unit of a goal', async (t) => {
  const goals = [
    { id: 'run', title: 'Run 100 km this month', unit: 'km' },
    { id: 'read', title: 'Read books', unit: 'pages' },
    { id: 'save', title: 'Save for a bike', unit: '$' },
    { id: 'weight', title: 'Weight', unit: 'kg' },
    { id: 'mood', title: 'Mood', unit: null },
  ];
  /** Progress per goal: a number is an added amount, a list contains a total. */
  const cases: [said: string, progress: Record<string, number | [number]>][] = [
    ['I ran 5 kilometres this morning', { run: 5 }],
    ['I ran 3.5 km', { run: 3.5 }],
    ['We ran a 5k', { run: 5 }],
    ['I ran five kilometers and then I read twenty five pages', { run: 5, read: 25 }],
    ['I read a hundred and twenty pages', { read: 120 }],
    ['I read 1,200 pages', { read: 1200 }],
    ['I saved another $40', { save: 40 }],
    ["I've saved two hundred dollars so far", { save: [200] }],
    ['I weigh seventy eight kilos now', { weight: [78] }],
    ['I drove 5 kilometres last month', {}],
    ['I want to run 5 km tomorrow', {}],
    ["I didn't run 5 km", {}],
    ['Did I run 5 km?', {}],
    ['You ran 5 km', {}],
    ['I ran for two hours', {}],
    ['My mood is seven', {}],
  ];
  for (const [said, progress] of cases) {
    const stated = statedProgress(transcript(said), goals);
    t.same(
      Object.fromEntries(
        stated.map(({ goalId, total, added }) => [goalId, total === null ? added : [total]]),
      ),
      progress,
      said,
    );
  }
  const twice = statedProgress(transcript('I ran 5 km.', 'I ran 5 km.', 'And I ran 2 km on Sunday.'), goals);
  t.match(twice, [{ goalId: 'run', total: null, added: 7 }], 'a repeated statement counts once');
  const beyond = statedProgress(transcript('I ran 5 km.', 'I ran 30 km so far.', 'Then I ran 2 km.'), goals);
  t.match(beyond, [{ goalId: 'run', total: 30, added: 2 }], 'an amount after a total adds to the total');
});

t.test('summarises a day without a language model', async (t) => {
  const conversation = (title: string, overview: string, hour: number, tasks: string[] = []) => ({
    title,
    overview,
    startedAt: new Date(Date.UTC(2026, 2, 4, hour)),
    tasks,
  });
  t.same(
    builtInDailySummary(
      [
        conversation('Call with Anna about the roof', 'It leaks again. It rained.', 9, ['Call the roofer']),
        conversation('Dentist appointment', '', 8),
        conversation('', '', 7),
      ],
      'Europe/Berlin',
    ),
    {
      headline: '2 conversations: Call with Anna about the roof and Dentist appointment',
      overview:
        '09:00 Dentist appointment.\n10:00 Call with Anna about the roof: It leaks again.\nTo do: Call the roofer.',
    },
  );
  t.equal(builtInDailySummary([conversation('', '', 8)], 'UTC'), null);
  const full = builtInDailySummary(
    Array.from({ length: 40 }, (_, index) =>
      conversation(`Talk ${index}`, 'Words. '.repeat(500), index % 24),
    ),
    'UTC',
  )!;
  t.ok(full.headline.length <= 200 && full.overview.length <= 10_000);
  t.match(full.overview, /And 28 more conversations\./);
});
