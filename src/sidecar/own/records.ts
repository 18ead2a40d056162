import { z } from 'zod';
import { daysOf } from '../../service/days/index.js';
import { chatMessages, dailySummaries, posts, screenActivity } from '../../service/records/index.js';
import {
  chatMessageRecord,
  dailySummaryRecord,
  postKinds,
  postRecord,
  screenActivityRecord,
} from '../../wire/records/index.js';
import type { Route, RouteContext } from '../frame/index.js';
import { creationShape, examplePost, postAnswer, timedAnswer, trimmed } from '../schemas/index.js';
import { givenRecord, recordRoutes } from './record-routes.js';

const at = '2026-03-01T10:00:00Z';

const exampleActivity = {
  id: '8841',
  app_name: 'Editor',
  window_title: 'plan.txt',
  ocr_text: null,
  created_at: at,
};

const summaryBody = z.object({
  date: z.iso
    .date()
    .refine((day) => !day.startsWith('0000'), 'Input should be a valid date')
    .meta({ description: 'The day. Each day has one summary.' }),
  ...creationShape(dailySummaryRecord),
});
const exampleSummary = { date: '2026-03-01', headline: 'A day in the garden', overview: 'Ann got the plan.' };

const exampleMessage = {
  id: '17',
  sender: 'human',
  type: 'text',
  text: 'When is the plan due?',
  created_at: at,
};

/** Returns the routes for data that a user's own applications write and assistants read. */
export const ownRecordRoutes = ({ sql }: RouteContext): readonly Route[] => [
  ...recordRoutes(sql, {
    url: '/v1/posts',
    one: 'Post',
    many: 'Posts',
    field: 'posts',
    what: 'Posts',
    operations: posts,
    body: givenRecord(postRecord),
    answer: postAnswer,
    filter: { name: 'kind', column: 'kind', value: z.enum(postKinds) },
    example: { body: examplePost, answer: examplePost },
  }),

  ...recordRoutes(sql, {
    url: '/v1/screen-activity',
    one: 'ScreenActivity',
    many: 'ScreenActivities',
    field: 'screen_activity',
    what: 'Screen activity',
    operations: screenActivity,
    body: givenRecord(screenActivityRecord),
    answer: timedAnswer(screenActivityRecord).meta({ id: 'ScreenActivity' }),
    filter: {
      name: 'app',
      column: 'app_name',
      value: trimmed(1, screenActivityRecord.fields.app_name.most),
    },
    example: { body: exampleActivity, answer: exampleActivity },
  }),

  ...recordRoutes(sql, {
    url: '/v1/daily-summaries',
    one: 'DailySummary',
    many: 'DailySummaries',
    field: 'daily_summaries',
    what: 'Daily summaries',
    operations: dailySummaries,
    body: summaryBody,
    answer: timedAnswer(dailySummaryRecord, { date: z.iso.date() }).meta({ id: 'DailySummary' }),
    period: daysOf,
    given: ({ date, ...summary }) => ({
      id: date,
      created_at: new Date(date as string),
      ...summary,
    }),
    show: (row) => ({ ...row, date: row.id }),
    example: {
      body: exampleSummary,
      answer: {
        ...exampleSummary,
        generated_by: null,
        id: exampleSummary.date,
        created_at: '2026-03-01T00:00:00Z',
      },
    },
  }),

  ...recordRoutes(sql, {
    url: '/v1/chat/messages',
    one: 'ChatMessage',
    many: 'ChatMessages',
    field: 'messages',
    what: 'Chat messages',
    operations: chatMessages,
    body: givenRecord(chatMessageRecord),
    answer: timedAnswer(chatMessageRecord).meta({ id: 'ChatMessage' }),
    example: { body: exampleMessage, answer: exampleMessage },
  }),
];
