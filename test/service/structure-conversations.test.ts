/**
 * Applies the built-in rules to the conversations of `fixtures/structure`, graded by the rubric of `docs/evidence/structure.md`.
 * Mechanical criteria are checked here. An engineer's judgments are recorded in the file, and apply only to the exact text that was
 * judged.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { z } from 'zod';
import { summarise } from '../../src/service/rules/summarise.js';
import { tokensOf } from '../../src/service/structure/language/words.js';
import { statedMemories } from '../../src/service/structure/statements/memories.js';
import { extractiveExtractor } from '../../src/service/structure/summary/extractive.js';
import { rulesHere } from '../../src/service/text/text-rules.js';

const schema = z.array(
  z.object({
    id: z.string(),
    kind: z.enum(['recognised', 'corpus', 'written', 'later']),
    language: z.string(),
    time_zone: z.string(),
    started_at: z.iso.datetime(),
    /** Each line begins with the letter of its speaker; U is the user. */
    lines: z.array(z.string().regex(/^[ABCU] ./)),
    expect: z.object({
      discarded: z.boolean(),
      /** Words for the title, which must contain at least one of them. */
      title: z.array(z.string()),
      /** `due` is the date in the user's zone. */
      tasks: z.array(z.object({ description: z.string(), due: z.iso.date().nullable() })),
      memories: z.array(z.string()),
    }),
    judged: z
      .object({
        title: z.string(),
        title_passes: z.boolean(),
        overview: z.string(),
        overview_passes: z.boolean(),
        note: z.string(),
      })
      .optional(),
  }),
);

const file = fileURLToPath(new URL('../../../fixtures/structure/conversations.json', import.meta.url));
const conversations = schema.parse(JSON.parse(readFileSync(file, 'utf8')));
type Conversation = (typeof conversations)[number];

const transcriptOf = ({ id, language, started_at, time_zone, lines }: Conversation) => ({
  id,
  language,
  startedAt: new Date(started_at),
  timeZone: time_zone,
  segments: lines.map((line, index) => {
    const speaker = 'ABCU'.indexOf(line[0]!);
    return {
      id: `s${index}`,
      text: line.slice(2),
      speaker: `SPEAKER_0${speaker}`,
      speaker_id: speaker,
      is_user: line[0] === 'U',
      person_id: null,
      start: index * 5,
      end: index * 5 + 4,
      translations: [],
      speech_profile_processed: true,
      stt_provider: null,
      stt_model: null,
    };
  }),
});

const cutOff =
  /^(?:and|but|so|or|because|if|that|which|who|then|it's|it|i|i'm|we|you|he|she|they|is|are|was|were|um|uh|well|yeah|okay|like)\b/i;
const trailing =
  /(?:^| )(?:a|an|the|and|or|but|of|to|in|on|at|for|with|from|by|about|is|are|was|my|our|your|their|that|this)$/i;
const fillers = /\b(?:um+|uh+|erm|hmm|you know|i mean|gonna|yeah|okay)\b/i;

/** Returns the criteria of the rubric's mechanical part that a title violates. */
const titleFaults = (title: string, { expect: { title: topics } }: Conversation): string[] => {
  const low = title.toLowerCase();
  const faults = [
    [title.length < 2 || title.length > 80 || title.split(' ').length > 10, 'length'],
    [/^\p{Ll}/u.test(title), 'no capital'],
    [cutOff.test(title), 'begins as a fragment'],
    [trailing.test(title), 'ends as a fragment'],
    [/[.,;:!?…。]$/u.test(title), 'ends in punctuation'],
    [fillers.test(title), 'a filler'],
    [!topics.some((topic) => low.includes(topic)), 'no topic of the conversation'],
  ] as const;
  return faults.filter(([fault]) => fault).map(([, name]) => name);
};

const sentencesIn = (text: string): string[] =>
  text
    .replaceAll('Mr.', 'Mr')
    .split(/(?<=[.!?。])\s+/u)
    .filter((sentence) => sentence !== '');

/** Returns the index of the line that shares most words with a sentence. */
const lineOf = (sentence: string, lines: readonly string[]): number => {
  const words = new Set(tokensOf(sentence));
  const shares = lines.map((line) => new Set(tokensOf(line).filter((token) => words.has(token))).size);
  return shares.indexOf(Math.max(...shares));
};

const overviewFaults = (overview: string, { lines }: Conversation): string[] => {
  const sentences = sentencesIn(overview);
  const places = sentences.map((sentence) => lineOf(sentence, lines));
  const most = Math.min(2, lines.length);
  const faults = [
    [sentences.length < most || sentences.length > 3, `${sentences.length} sentences`],
    [overview.length > 700, 'length'],
    [sentences.some((sentence) => !/[.!?。]$/u.test(sentence)), 'a sentence without an end'],
    [sentences.some((sentence) => /^\p{Ll}/u.test(sentence)), 'a sentence without a capital'],
    [new Set(sentences).size < sentences.length, 'said twice'],
    [
      places.some((place, index) => index > 0 && place < places[index - 1]!),
      'not in the order of the transcript',
    ],
    [/\b(?:uh+|erm|hmm+|uhm)\b/i.test(overview), 'hesitation'],
  ] as const;
  return faults.filter(([fault]) => fault).map(([, name]) => name);
};

const localDate = (at: string, timeZone: string): string =>
  new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' }).format(new Date(at));

const kept = conversations.filter(({ expect }) => !expect.discarded);

t.test('discards exactly the expected conversations', async (t) => {
  for (const conversation of conversations) {
    const { discarded } = await summarise(rulesHere, transcriptOf(conversation), 'ann');
    t.equal(discarded, conversation.expect.discarded, conversation.id);
  }
});

t.test('titles and overviews pass the criteria', async (t) => {
  let titles = 0;
  let overviews = 0;
  for (const conversation of kept) {
    const { id, judged } = conversation;
    const { title, overview } = await extractiveExtractor.extract(transcriptOf(conversation));
    // A judgment applies only to the judged text. A changed text must be judged again.
    t.match(judged, { title, overview }, `${id}: title and overview are the judged ones`);
    const faults = titleFaults(title, conversation);
    if (judged?.title_passes) t.same(faults, [], `${id}: ${title}`);
    if (judged?.title_passes && faults.length === 0) titles++;
    t.same(overviewFaults(overview, conversation), [], `${id}: ${overview}`);
    if (judged?.overview_passes) overviews++;
  }
  t.ok(kept.length >= 50, `${kept.length} conversations`);
  t.ok(titles >= 0.85 * kept.length, `${titles} titles pass`);
  t.ok(overviews >= 0.85 * kept.length, `${overviews} overviews pass`);
  const page = readFileSync(
    fileURLToPath(new URL('../../../docs/evidence/structure.md', import.meta.url)),
    'utf8',
  );
  t.match(
    page,
    `${titles} of ${kept.length} titles`,
    'docs/evidence/structure.md has the number of titles that pass',
  );
  t.match(
    page,
    `${overviews} of ${kept.length} overviews`,
    'docs/evidence/structure.md has the number of overviews that pass',
  );
});

t.test("finds exactly the expected tasks, with due dates in the user's time zone", async (t) => {
  for (const conversation of kept) {
    const { action_items: items } = await extractiveExtractor.extract(transcriptOf(conversation));
    const made = items.map(({ description, due_at }) => ({
      description,
      due: due_at && localDate(due_at, conversation.time_zone),
    }));
    t.same(made, conversation.expect.tasks, conversation.id);
  }
});

t.test('finds exactly the expected memories', async (t) => {
  for (const conversation of conversations) {
    const memories = statedMemories(transcriptOf(conversation)).map(({ content }) => content);
    t.same(memories, conversation.expect.memories, conversation.id);
  }
});
