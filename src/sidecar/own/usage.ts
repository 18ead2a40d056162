import { z } from 'zod';
import { usageBounds, usageOf } from '../../service/records/index.js';
import { ownData } from '../access/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';

const day = z.iso.date().refine((text) => !text.startsWith('0000'), 'Input should be a valid date');

const usageQuery = z.object({
  start_date: day.optional().meta({
    description: `The first day, in the user's time zone. Default: ${usageBounds.usualDays} days up to the last day.`,
  }),
  end_date: day.optional().meta({ description: "The last day, in the user's time zone. Default: today." }),
});

const usageAnswer = z.array(
  z
    .object({
      date: z.iso.date(),
      speech: z.array(
        z.object({ provider: z.string(), seconds: z.number(), words: z.int() }).meta({ id: 'SpeechUsage' }),
      ),
      conversations: z.int(),
      memories: z.int(),
      action_items: z.int(),
    })
    .meta({ id: 'UsageDay' }),
);

/** Returns the route for a user's usage of the service. */
export const usageRoutes = ({ sql }: RouteContext): readonly Route[] => [
  route({
    method: 'GET',
    url: '/v1/users/usage',
    operationId: 'getUserUsage',
    tag: 'User',
    summary: 'Usage by day',
    description: `Newest day first, in days of the user's time zone. Days without usage are left out; at most ${usageBounds.days} days. Speech is counted in seconds and words by provider, when its conversation ends, in the zone of that time. It stays counted after the conversation is deleted. Transcripts that arrived as text are not counted. The other numbers count existing records.`,
    ...ownData.read,
    query: usageQuery,
    answer: usageAnswer,
    example: {
      query: { start_date: '2026-03-01', end_date: '2026-03-31' },
      answer: [
        {
          date: '2026-03-01',
          speech: [{ provider: 'local', seconds: 812.5, words: 1930 }],
          conversations: 4,
          memories: 2,
          action_items: 3,
        },
      ],
    },
    handle: ({ caller, query }) =>
      usageOf(sql, caller.uid, { first: query.start_date, last: query.end_date }),
  }),
];
