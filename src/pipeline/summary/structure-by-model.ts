import { z } from 'zod';
import { storableText } from '../../common/index.js';
import { momentAt } from '../../common/local-time/index.js';
import type { LanguageModel } from '../../llm/index.js';
import { conversationCategories } from '../../service/structure/summary/index.js';
import { type CalendarEvent, isoUtc, type Structured } from '../../store/record/index.js';
import { type ConversationInput, dataWith, languageRule, ownerRule, timeRule } from '../input/index.js';

const mostEvents = 20;
const day = 86_400_000;
/** Maximum ms between a conversation and an event in it (5 years). */
const horizon = 5 * 366 * day;
const usualDuration = 30;

const answer = z.strictObject({
  title: z.string().min(1).max(200),
  overview: z.string().max(4000),
  emoji: z.string().max(32),
  category: z.string().max(40),
  events: z
    .array(
      z.strictObject({
        title: z.string().min(1).max(200),
        description: z.string().max(1000),
        start: z.string().max(40),
        duration_minutes: z.number().int().min(0).max(10_080),
      }),
    )
    .max(mostEvents),
});

/** Returns the transcript with the descriptions of the conversation's images. */
const withPhotos = ({ text, photos }: ConversationInput): string =>
  photos.length === 0 ? text : dataWith('What photos show that were taken meanwhile', photos, text);

const instructions = (input: ConversationInput): string =>
  [
    'You summarise the transcript of a conversation.',
    ownerRule(input.owner),
    languageRule(input.owner),
    timeRule(input),
    'title: what it was about, in at most ten words, without names of days.',
    'overview: two or three sentences on what was said and decided.',
    'emoji: one emoji that fits.',
    `category: one of ${conversationCategories.join(', ')}.`,
    'events: appointments in the future that were agreed or mentioned with a time, none if there are none.',
  ].join('\n');

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const emojiOf = (given: string): string => {
  const [first] = graphemes.segment(given.trim());
  return first && /\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(first.segment)
    ? first.segment
    : '🧠';
};

const categories = new Set<string>(conversationCategories);

const lineOf = (text: string): string => storableText(text).replace(/\s+/g, ' ').trim();

const eventsOf = (
  given: z.output<typeof answer>['events'],
  { owner, transcript }: ConversationInput,
): CalendarEvent[] =>
  given.flatMap(({ title, description, start, duration_minutes: duration }) => {
    const moment = momentAt(start, owner.timeZone);
    const ahead = moment === null ? -1 : moment.getTime() - transcript.startedAt.getTime();
    if (moment === null || ahead < 0 || ahead > horizon || lineOf(title) === '') return [];
    return [
      {
        title: lineOf(title),
        description: lineOf(description),
        start: isoUtc(moment),
        duration: duration === 0 ? usualDuration : duration,
        created: false,
      },
    ];
  });

/** Returns the model's summary of a conversation, without tasks. A separate request asks for tasks. */
export const structureByModel = async (
  model: LanguageModel,
  input: ConversationInput,
  signal: AbortSignal,
): Promise<Structured> => {
  const given = await model.ask(
    {
      step: 'structure',
      uid: input.owner.uid,
      instructions: instructions(input),
      data: withPhotos(input),
      answerTokens: 2000,
      signal,
    },
    answer,
  );
  const category = given.category.trim().toLowerCase();
  return {
    title: lineOf(given.title) || 'Conversation',
    overview: storableText(given.overview).trim(),
    emoji: emojiOf(given.emoji),
    category: categories.has(category) ? category : 'other',
    action_items: [],
    events: eventsOf(given.events, input),
  };
};

const verdict = z.strictObject({ keep: z.boolean() });
/**
 * A conversation that lasts fewer seconds is short. A short conversation is kept only if its speech contains
 * something to act on.
 */
const shortConversation = 120;

/** Asks the model whether to keep a conversation about which the rules cannot decide. */
export const keptByModel = async (
  model: LanguageModel,
  input: ConversationInput,
  signal: AbortSignal,
): Promise<boolean> => {
  const { owner, transcript } = input;
  const duration = transcript.segments.reduce((latest, { end }) => Math.max(latest, end), 0);
  const bar =
    duration < shortConversation
      ? 'It is short, so keep it only if someone could act on it.'
      : 'When in doubt, keep it.';
  const { keep } = await model.ask(
    {
      step: 'discard',
      uid: owner.uid,
      instructions: [
        'You decide whether the transcript of a recording is worth keeping.',
        'Keep what has a task or request, a decision, commitment or plan, a question that needs an answer later, personal facts, an important event, or an insight.',
        'Do not keep noise, fillers, or scraps of broadcasts.',
        bar,
      ].join('\n'),
      data: withPhotos(input),
      answerTokens: 50,
      signal,
    },
    verdict,
  );
  return keep;
};
