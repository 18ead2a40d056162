import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Settings } from '../../config/index.js';
import { findConsoleSession } from '../../identity/index.js';
import type { Sql } from '../../store/client/index.js';
import { sessionOf } from '../access/index.js';
import { html, page, styleSheet } from '../issuer/index.js';
import { limitTime } from '../limits/index.js';
import { enterScript, signedInScript } from './enter-script.js';
import { shownName } from './entering.js';

export interface ConsolePagesOptions {
  readonly settings: Settings;
  readonly sql: Sql;
}

/** Pages of the console load only files of this service, and no page of another origin can show them. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const styles = html`<link rel="stylesheet" href="/console/style.css">`;

const enterPage = page(
  'Open the console',
  html`<p id="state" role="status">Checking the link.</p>
<noscript><p>This page needs JavaScript.</p></noscript>
<button id="enter" type="button" hidden>Continue</button>`,
  html`${styles}<script src="/console/enter.js" defer></script>`,
);

const signedInPage = (name: string): string =>
  page(
    'Console',
    html`<p>This browser is signed in as <strong>${name}</strong>. The service has no pages for conversations yet; programs can
read them by the interface of the console.</p>
<button id="sign-out" type="button">Sign out</button>`,
    html`${styles}<script src="/console/signed-in.js" defer></script>`,
  );

const signedOutPage = page(
  'Console',
  html`<p>This browser is not signed in. The command <code>cochlea console</code> prints a link that signs it in.</p>`,
  styles,
);

const send = (reply: FastifyReply, text: string): FastifyReply =>
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('referrer-policy', 'no-referrer')
    .send(text);

/** Adds the pages that begin, show and end a session at the console. */
export const installConsolePages = (app: FastifyInstance, { settings, sql }: ConsolePagesOptions): void => {
  app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => limitTime(reply, settings.requestTimeout));

    scope.get('/console/enter', (_request, reply) => send(reply, enterPage));

    scope.get('/console', async ({ headers }, reply) => {
      const cookie = sessionOf(settings, headers.cookie);
      const session = cookie === null ? null : await findConsoleSession(sql, cookie);
      if (session === null || session.deleting) return send(reply, signedOutPage);
      return send(reply, signedInPage(await shownName(sql, session.uid)));
    });

    for (const [path, type, text] of [
      ['/console/enter.js', 'text/javascript', enterScript],
      ['/console/signed-in.js', 'text/javascript', signedInScript],
      ['/console/style.css', 'text/css', styleSheet],
    ] as const) {
      scope.get(path, (_request, reply) =>
        reply.header('content-type', `${type}; charset=utf-8`).header('cache-control', 'no-cache').send(text),
      );
    }
  });
};
