import { z } from 'zod';
import { rowsWithin } from '../../../common/index.js';
import { fixedLimits } from '../../../config/limits/index.js';
import { timesOf } from '../../../service/days/index.js';
import {
  chatMessages,
  posts,
  screenActivity,
  screenTime,
  searchPosts,
} from '../../../service/records/index.js';
import { postKinds, screenActivityRecord } from '../../../wire/records/index.js';
import {
  choice,
  flagOr,
  fromDay,
  limit,
  message,
  moment,
  notice,
  noticeField,
  offset,
  optionalText,
  post,
  query,
  relevance,
  screenActivityRow,
  shortened,
  type Tool,
  type ToolContext,
  type ToolGroup,
  toDay,
  tool,
} from '../toolkit/index.js';

/** Returns the rows with texts that are shortened so that all of them fit into the answer. */
const withShortTexts = <Row extends { readonly text: string }>(rows: readonly Row[]): Row[] => {
  const short = shortened(rows.length);
  return rows.map((row) => ({ ...row, text: short(row.text) }));
};

const getXPostsTool = ({ sql }: ToolContext): Tool =>
  tool({
    name: 'get_x_posts',
    title: 'List posts',
    description: 'Posts that the user wrote or bookmarked on X, newest first.',
    scopes: ['memories.read'],
    effect: 'read',
    input: z.object({
      kind: choice(postKinds, 'Only posts that the user wrote (tweet) or bookmarked (bookmark)'),
      limit: limit(50, 200),
    }),
    output: z.object({ posts: z.array(post), ...noticeField }),
    call: async ({ uid, given: { kind, limit } }) => ({
      posts: withShortTexts(
        (
          await posts.list(
            sql,
            uid,
            { limit },
            kind === undefined ? undefined : { column: 'kind', value: kind },
          )
        ).items,
      ),
      notice,
    }),
  });

const searchXPostsTool = ({ sql, search }: ToolContext): Tool =>
  tool({
    name: 'search_x_posts',
    title: 'Search posts',
    description: 'Posts of the user on X that match a query, most relevant first.',
    scopes: ['memories.read'],
    effect: 'read',
    input: z.object({ query, limit: limit(10, 100) }),
    output: z.object({ posts: z.array(post.extend({ relevance_score: relevance })), ...noticeField }),
    call: async ({ uid, given: { query: text, limit } }) => ({
      posts: withShortTexts((await searchPosts(search, sql, uid, { text, limit })).items),
      notice,
    }),
  });

const getChatMessagesTool = ({ sql }: ToolContext): Tool =>
  tool({
    name: 'get_chat_messages',
    title: 'List chat messages',
    description: 'Messages between the user and the assistant in the app, newest first.',
    scopes: ['chat.read'],
    effect: 'read',
    input: z.object({ limit: limit(50, 200), offset }),
    output: z.object({
      messages: z.array(message),
      ...noticeField,
    }),
    call: async ({ uid, given }) => ({
      messages: withShortTexts((await chatMessages.list(sql, uid, given)).items),
      notice,
    }),
  });

const getScreenActivityTool = ({ sql }: ToolContext): Tool =>
  tool({
    name: 'get_screen_activity',
    title: 'Read screen activity',
    description:
      'Screen activity of the user: the latest rows, oldest first. With summary=true: counts by application.',
    scopes: ['screen_activity.read'],
    effect: 'read',
    input: z.object({
      start_date: fromDay('Activity'),
      end_date: toDay('Activity'),
      app: optionalText(screenActivityRecord.fields.app_name.most, 'Only this application'),
      summary: flagOr(false, 'Counts by application instead of rows. limit is ignored then'),
      limit: limit(200, 1000),
    }),
    output: z.object({
      screen_activity: z.array(screenActivityRow).optional(),
      apps: z
        .record(
          z.string(),
          z.object({
            count: z.number().int(),
            first_seen: moment,
            last_seen: moment,
            window_titles: z.array(z.string()),
          }),
        )
        .optional(),
      total_screenshots: z.number().int().optional(),
      other_apps: z
        .object({ apps: z.number().int(), count: z.number().int() })
        .optional()
        .meta({ description: 'Applications beyond the most frequent 1,000.' }),
      ...noticeField,
    }),
    call: async ({ uid, given }) => {
      const { from, to } = await timesOf(sql, uid, { from: given.start_date, to: given.end_date });
      const app = given.app;
      if (given.summary) {
        const { apps, ...sums } = await screenTime(sql, uid, { from, to, app });
        const seen = Object.entries(apps);
        const short = shortened(seen.reduce((sum, [, { window_titles }]) => sum + window_titles.length, 0));
        const shortTitles = seen.map(([name, one]) => [
          name,
          { ...one, window_titles: one.window_titles.map(short) },
        ]);
        return { apps: Object.fromEntries(shortTitles), ...sums, notice };
      }
      const where = app === undefined ? undefined : { column: 'app_name', value: app };
      const { items } = await screenActivity.list(sql, uid, { from, to, limit: given.limit }, where);
      return {
        screen_activity: rowsWithin(items, ({ ocr_text }) => ocr_text, fixedLimits.toolTexts.value)
          .map(({ created_at, ...row }) => ({ ...row, timestamp: created_at }))
          .reverse(),
        notice,
      };
    },
  });

/** Returns the tools for data that a user's own applications wrote: posts, chat messages, screen activity. */
export const ownRecordTools: ToolGroup = (context) => [
  getXPostsTool(context),
  searchXPostsTool(context),
  getChatMessagesTool(context),
  getScreenActivityTool(context),
];
