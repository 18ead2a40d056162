import { z } from 'zod';
import { firstCharacters, storableText } from '../../common/index.js';
import { dayBounds } from '../../common/local-time/index.js';
import { builtInDailySummary } from '../../service/structure/summary/index.js';
import {
  conversationsOfDay,
  type DayConversation,
  readUserSettings,
  storeDaySummary,
} from '../../store/records/index.js';
import { dailySummaryRecord } from '../../wire/records/index.js';
import { languageRule, type Owner, ownerOf, ownerRule, shortened } from '../input/index.js';
import type { Step } from './step.js';

/** Maximum number of conversations of a day that are read. The longest are read first. */
const mostConversations = 200;

interface DayInput {
  readonly owner: Owner;
  /** The day as YYYY-MM-DD in the owner's time zone. */
  readonly day: string;
  readonly conversations: readonly DayConversation[];
}

interface DaySummary {
  readonly headline: string;
  readonly overview: string;
}

const bounds = dailySummaryRecord.fields;

const answer = z.strictObject({
  headline: z.string().min(1).max(bounds.headline.most),
  overview: z.string().min(1).max(bounds.overview.most),
});

/** Summarises a day in the user's time zone. If an application of the user wrote a summary of the day, that summary stays. */
export const dailySummaryStep: Step<DayInput, DaySummary | null> = {
  async read({ sql }, { uid, day }) {
    if (day === null) return null;
    const owner = ownerOf(uid, await readUserSettings(sql, uid), 'en');
    const conversations = await conversationsOfDay(
      sql,
      uid,
      dayBounds(day, owner.timeZone),
      mostConversations,
    );
    return conversations.length === 0 ? null : { owner, day, conversations };
  },
  async byModel({ model, signal, settings }, { owner, day, conversations }) {
    return model.ask(
      {
        step: 'daily_summary',
        uid: owner.uid,
        instructions: [
          `You summarise the day ${day} of a person from summaries of the conversations of that day.`,
          ownerRule(owner),
          languageRule(owner),
          'headline: the day in at most ten words. overview: at most five sentences on what mattered, in the order of the day.',
        ].join('\n'),
        data: shortened(
          conversations.map(({ title, overview }) => JSON.stringify({ title, overview })).join('\n'),
          settings.llmInput,
        ),
        answerTokens: 1000,
        signal,
      },
      answer,
    );
  },
  async builtIn(_context, { owner, conversations }) {
    return builtInDailySummary(conversations, owner.timeZone);
  },
  async store(sql, { owner, day }, summary, generatedBy) {
    if (summary === null) return;
    const { headline, overview } = summary;
    await storeDaySummary(sql, owner.uid, {
      id: day,
      headline: firstCharacters(storableText(headline).trim(), bounds.headline.most),
      overview: firstCharacters(storableText(overview).trim(), bounds.overview.most),
      created_at: new Date(`${day}T00:00:00Z`),
      generated_by: generatedBy,
    });
  },
};
