import { z } from 'zod';
import { daysOf } from '../../service/days/index.js';
import {
  ownRecordBounds as bounds,
  chatMessages,
  chatSenders,
  dailySummaries,
  postKinds,
  posts,
  screenActivity,
} from '../../service/records/index.js';
import type { Route, RouteContext } from '../frame/index.js';
import { examplePost, postAnswer, trimmed } from '../schemas/index.js';
import { operationsOn, recordFields, recordRoutes } from './record-routes.js';

const shown = { id: z.string(), created_at: z.iso.datetime() };
const at = '2026-03-01T10:00:00Z';

const postBody = z.object({ kind: z.enum(postKinds), text: trimmed(1, bounds.post), ...recordFields });

const activityBody = z.object({
  app_name: trimmed(1, bounds.appName),
  window_title: trimmed(0, bounds.windowTitle).nullish(),
  ocr_text: trimmed(0, bounds.ocrText).nullish(),
  ...recordFields,
});
const activityAnswer = z
  .object({
    ...shown,
    app_name: z.string(),
    window_title: z.string().nullable(),
    ocr_text: z.string().nullable(),
  })
  .meta({ id: 'ScreenActivity' });
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
    .meta({ description: 'The day; there is one summary for each.' }),
  headline: trimmed(1, bounds.headline),
  overview: trimmed(1, bounds.overview),
});
const summaryAnswer = z
  .object({
    ...shown,
    date: z.iso.date(),
    headline: z.string(),
    overview: z.string(),
    generated_by: z
      .string()
      .nullable()
      .meta({ description: 'What made it; null when an application of the user has written it.' }),
  })
  .meta({ id: 'DailySummary' });
const exampleSummary = { date: '2026-03-01', headline: 'A day in the garden', overview: 'Ann got the plan.' };

const messageBody = z.object({
  sender: z.enum(chatSenders),
  type: trimmed(1, bounds.messageType).default('text'),
  text: trimmed(1, bounds.message),
  ...recordFields,
});
const messageAnswer = z
  .object({ ...shown, sender: z.enum(chatSenders), type: z.string(), text: z.string() })
  .meta({ id: 'ChatMessage' });
const exampleMessage = {
  id: '17',
  sender: 'human' as const,
  type: 'text',
  text: 'When is the plan due?',
  created_at: at,
};

const withDate = <Row extends { readonly id: string }>(row: Row) => ({ ...row, date: row.id });

const postRoutes = ({ sql }: RouteContext): readonly Route[] =>
  recordRoutes({
    url: '/v1/posts',
    one: 'Post',
    many: 'Posts',
    field: 'posts',
    what: 'Posts',
    body: postBody,
    answer: postAnswer,
    query: { kind: z.enum(postKinds).optional() },
    example: { body: examplePost, answer: examplePost },
    given: (body) => {
      const { kind, text, id, created_at } = body as z.output<typeof postBody>;
      return { kind, text, id, createdAt: created_at };
    },
    ...operationsOn(sql, posts),
    list: (uid, query, { kind }) =>
      posts.listInParts(
        sql,
        uid,
        query,
        typeof kind === 'string' ? { column: 'kind', value: kind } : undefined,
      ),
  });

const activityRoutes = ({ sql }: RouteContext): readonly Route[] =>
  recordRoutes({
    url: '/v1/screen-activity',
    one: 'ScreenActivity',
    many: 'ScreenActivities',
    field: 'screen_activity',
    what: 'Screen activity',
    body: activityBody,
    answer: activityAnswer,
    query: { app: trimmed(1, bounds.appName).optional() },
    example: { body: exampleActivity, answer: exampleActivity },
    given: (body) => {
      const { app_name, window_title, ocr_text, id, created_at } = body as z.output<typeof activityBody>;
      return { appName: app_name, windowTitle: window_title, ocrText: ocr_text, id, createdAt: created_at };
    },
    ...operationsOn(sql, screenActivity),
    list: (uid, query, { app }) =>
      screenActivity.listInParts(
        sql,
        uid,
        query,
        typeof app === 'string' ? { column: 'app_name', value: app } : undefined,
      ),
  });

const summaryRoutes = ({ sql }: RouteContext): readonly Route[] =>
  recordRoutes({
    url: '/v1/daily-summaries',
    one: 'DailySummary',
    many: 'DailySummaries',
    field: 'daily_summaries',
    what: 'Daily summaries',
    body: summaryBody,
    answer: summaryAnswer,
    example: {
      body: exampleSummary,
      answer: {
        ...exampleSummary,
        generated_by: null,
        id: exampleSummary.date,
        created_at: '2026-03-01T00:00:00Z',
      },
    },
    given: (body) => {
      const { date, headline, overview } = body as z.output<typeof summaryBody>;
      return { id: date, createdAt: new Date(date), headline, overview };
    },
    period: (uid, given) => daysOf(sql, uid, given),
    write: async (uid, given, key) => (await dailySummaries.write(sql, uid, given, key)).map(withDate),
    list: (uid, query) => dailySummaries.listInParts(sql, uid, query, undefined, withDate),
    get: async (uid, id) => withDate(await dailySummaries.get(sql, uid, id)),
    remove: (uid, id) => dailySummaries.remove(sql, uid, id),
  });

const messageRoutes = ({ sql }: RouteContext): readonly Route[] =>
  recordRoutes({
    url: '/v1/chat/messages',
    one: 'ChatMessage',
    many: 'ChatMessages',
    field: 'messages',
    what: 'Chat messages',
    body: messageBody,
    answer: messageAnswer,
    example: { body: exampleMessage, answer: exampleMessage },
    given: (body) => {
      const { sender, type, text, id, created_at } = body as z.output<typeof messageBody>;
      return { sender, type, text, id, createdAt: created_at };
    },
    ...operationsOn(sql, chatMessages),
    list: (uid, query) => chatMessages.listInParts(sql, uid, query),
  });

/** Data that the own applications of a user write, and that assistants read. */
export const ownRecordRoutes = (context: RouteContext): readonly Route[] => [
  ...postRoutes(context),
  ...activityRoutes(context),
  ...summaryRoutes(context),
  ...messageRoutes(context),
];
