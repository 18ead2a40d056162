import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Settings } from '../../config/index.js';
import { enterConsole, leaveConsole, readConsoleLink } from '../../identity/index.js';
import { addressOf, findUser } from '../../store/accounts/index.js';
import type { Sql } from '../../store/client/index.js';
import { begunSession, entry, sessionOf } from '../access/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';

const linkBody = z.object({
  link: z.string().max(100).meta({ description: 'The secret of the link: the fragment of its address.' }),
});

const link = 'k7Jw3x0Zr1cQ9vB2mN5tY8uI4oP6aS7dF0gH1jK2lL3';

const head = {
  method: 'POST',
  tag: 'Console',
  access: entry,
  limits: [],
  errors: ['console_link_ended'],
  body: linkBody,
  // The limit is small, because these requests need no credential.
  bodyLimit: 4096,
} as const;

/** Returns the name with which pages address a user: the user's name, else the e-mail address, else the uid. */
export const shownName = async (sql: Sql, uid: string): Promise<string> =>
  (await findUser(sql, uid))?.name ?? (await addressOf(sql, uid));

/** Sends the cookie of a new session. Ends the session that this browser had before. */
export const giveSession = async (
  sql: Sql,
  settings: Settings,
  former: string | undefined,
  reply: FastifyReply,
  cookie: string,
): Promise<void> => {
  const ended = sessionOf(settings, former);
  reply.header('set-cookie', begunSession(settings, cookie));
  if (ended !== null) await leaveConsole(sql, ended);
};

/** Returns the routes with which a link opens a session. */
export const enteringRoutes = ({ sql, settings }: RouteContext): readonly Route[] => [
  route({
    ...head,
    url: '/console/api/enter/look',
    operationId: 'consoleReadLink',
    summary: 'Whose session a link opens. The link is not used up',
    description:
      'A page shows the name before it opens the session, so that people do not enter an account by accident.',
    answer: z.object({ name: z.string(), expires_in: z.int().meta({ description: 'Seconds.' }) }),
    example: { body: { link }, answer: { name: 'Demo', expires_in: 540 } },
    handle: async ({ body }) => {
      const { uid, seconds } = await readConsoleLink(sql, body.link);
      return { name: await shownName(sql, uid), expires_in: seconds };
    },
  }),

  route({
    ...head,
    url: '/console/api/enter',
    operationId: 'consoleEnter',
    summary: 'Open a session with a link, which then no longer works',
    description:
      'Sets the cookie of the session, which no script can read. A former session of the browser ends.',
    answer: z.object({ name: z.string() }),
    answerHeaders: { 'Set-Cookie': 'The cookie of the session.' },
    example: { body: { link }, answer: { name: 'Demo' } },
    handle: async ({ body, request, reply }) => {
      const { uid, cookie } = await enterConsole(sql, body.link);
      await giveSession(sql, settings, request.headers.cookie, reply, cookie);
      return { name: await shownName(sql, uid) };
    },
  }),
];
