import { z } from 'zod';
import { CochleaError } from '../../errors/index.js';
import { hasExternalIssuer, issueStreamToken, leaveConsole } from '../../identity/index.js';
import { addressOf, findUser } from '../../store/accounts/index.js';
import { isoUtc } from '../../store/record/index.js';
import { endedSession, sessionOf } from '../access/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { consoleReads, consoleWrites } from './shared-routes.js';

const moment = z.iso.datetime();

const meAnswer = z.object({
  uid: z.string(),
  name: z.string().nullable(),
  address: z.string().meta({ description: 'E-mail address of the account; the uid without one.' }),
  language: z.string().nullable(),
  session: z.object({
    created_at: moment,
    expires_at: moment.meta({ description: 'When the session ends if no further request comes.' }),
  }),
  capabilities: z
    .object({
      language_model: z
        .boolean()
        .meta({ description: 'Whether a language model writes summaries and answers.' }),
      recordings: z.boolean().meta({ description: 'Whether uploaded recordings can be transcribed.' }),
      voice_messages: z.boolean().meta({ description: 'Whether voice messages can be transcribed.' }),
      voice_profiles: z.boolean().meta({ description: 'Whether the service recognises voices.' }),
      account_page: z.boolean().meta({
        description: 'Whether `/account` exists. False with an issuer of the operator.',
      }),
    })
    .meta({ description: 'What this deployment can do.' }),
});

const exampleMe = {
  uid: '5b0c0e1c-6b0f-4a53-9a0e-0f8f6c6f2a11',
  name: 'Demo',
  address: 'demo@example.org',
  language: 'en',
  session: { created_at: '2026-03-01T10:00:00Z', expires_at: '2026-03-01T22:00:00Z' },
  capabilities: {
    language_model: false,
    recordings: true,
    voice_messages: true,
    voice_profiles: true,
    account_page: true,
  },
};

const exampleToken = { token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6InN0cmVhbStqd3QifQ...', expires_in: 600 };

/** Returns the routes for the session of a browser at the console. */
export const sessionRoutes = (context: RouteContext): readonly Route[] => {
  const { sql, settings, model, recordings, voice, enrolment, endSignIn } = context;
  return [
    route({
      ...consoleReads,
      method: 'GET',
      url: '/console/api/me',
      operationId: 'consoleMe',
      tag: 'Console',
      summary: 'The signed-in user, the session, and what this deployment can do',
      answer: meAnswer,
      example: { answer: exampleMe },
      handle: async ({ caller: { uid, session } }) => {
        const [user, address] = await Promise.all([findUser(sql, uid), addressOf(sql, uid)]);
        if (user === null) throw new CochleaError('console_session_missing');
        return {
          uid,
          name: user.name,
          address,
          language: user.language,
          session: { created_at: isoUtc(session!.created_at), expires_at: isoUtc(session!.expires_at) },
          capabilities: {
            language_model: model !== null,
            recordings: recordings !== null,
            voice_messages: voice !== null,
            voice_profiles: enrolment !== null,
            account_page: !hasExternalIssuer(settings),
          },
        };
      },
    }),

    route({
      ...consoleWrites,
      method: 'POST',
      url: '/console/api/sign-out',
      operationId: 'consoleSignOut',
      tag: 'Console',
      summary: 'End the session and the sign-in of this browser, and remove the cookie',
      description:
        'Tokens for streams that the session made stay valid until they expire, at most ten minutes. If the issuer ends the sign-in itself, the browser must go on at its address.',
      // Takes no turn, because the issuer of the operator may be slow.
      withoutTurn: true,
      answerHeaders: { 'Set-Cookie': 'Removes the cookie.' },
      answer: z.object({
        continue_at: z.string().nullable().meta({
          description: 'Address at the issuer that ends the sign-in there; null if nothing is left to end.',
        }),
      }),
      example: { answer: { continue_at: null } },
      handle: async ({ request, reply }) => {
        reply.header('set-cookie', endedSession(settings));
        await leaveConsole(sql, sessionOf(settings, request.headers.cookie)!);
        // Also ends the sign-in at the issuer. Otherwise the next person at this browser could sign in again without a
        // password.
        return { continue_at: (await endSignIn?.(request, reply)) ?? null };
      },
    }),

    route({
      ...consoleWrites,
      method: 'POST',
      url: '/console/api/stream-token',
      operationId: 'consoleStreamToken',
      tag: 'Console',
      summary: 'A token that opens streams of the user, and nothing else',
      description:
        'An open stream takes a new token as an `auth` message. Signing out everywhere ends the token at once.',
      answer: z.object({ token: z.string(), expires_in: z.int().meta({ description: 'Seconds.' }) }),
      example: { answer: exampleToken },
      handle: async ({ caller }) => {
        const { token, seconds } = await issueStreamToken(sql, settings, caller.uid);
        return { token, expires_in: seconds };
      },
    }),
  ];
};
