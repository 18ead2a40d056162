import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { findConsoleSession, hasConsoleClient } from '../../identity/index.js';
import type { Sql } from '../../store/client/index.js';
import { sessionOf } from '../access/index.js';
import { knownError } from '../answers/index.js';
import { addressLimit, html, page, styleSheet } from '../issuer/index.js';
import { limitTime } from '../limits/index.js';
import { installAppPages } from './app-pages.js';
import { enterScript, signedInScript } from './enter-script.js';
import { shownName } from './entering.js';
import { installSignIn } from './sign-in.js';
import type { SignInWay } from './sign-in-ways.js';
import { installIssuerLogout, installReturn } from './sign-out/index.js';

export interface ConsolePagesOptions {
  readonly settings: Settings;
  readonly sql: Sql;
  /** How people sign in; null if only links begin a session. */
  readonly way: SignInWay | null;
}

/** Pages of the console load only files of this service, and no page of another origin can show them. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const styles = html`<link rel="stylesheet" href="/console/style.css">`;

const enterPage = (hasSignIn: boolean): string =>
  page(
    'Open the console',
    html`<p id="state" role="status">Checking the link.</p>
<noscript><p>This page needs JavaScript.</p></noscript>
<button id="enter" type="button" hidden>Continue</button>
<p id="open" hidden><a href="/console">Go to the console</a></p>
${hasSignIn && html`<p id="sign-in" hidden><a href="/console/sign-in">Sign in</a></p>`}`,
    html`${styles}<script src="/console/enter.js" defer></script>`,
  );

const signedInPage = (name: string): string =>
  page(
    'Console',
    html`<p>This browser is signed in as <strong>${name}</strong>. The pages of the console are not bundled on this
service; <code>npm run setup</code> bundles them.</p>
<button id="sign-out" type="button">Sign out</button>`,
    html`${styles}<script src="/console/signed-in.js" defer></script>`,
  );

const signedOutPage = (hasSignIn: boolean): string =>
  page(
    'Console',
    html`<p>This browser is not signed in. The command <code>npx cochlea console</code> prints a link that signs it in.</p>
${hasSignIn && html`<p><a href="/console/sign-in">Sign in</a></p>`}`,
    styles,
  );

const leftPage = page(
  'Signed out',
  html`<p>This browser is signed out of the console. It has come back from the service where you sign in.</p>
<p>If you stayed signed in at that service, this browser can open the console again without a password.</p>
<p><a href="/console/sign-in">Sign in</a></p>`,
  styles,
);

const send = (reply: FastifyReply, text: string): FastifyReply =>
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('referrer-policy', 'no-referrer')
    .send(text);

/** Shows an error as a page, with its remedy and a way to begin again. */
const failed = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const known = knownError(error as never, request) ?? new CochleaError('internal');
  const status = known.entry.http ?? 500;
  if (status >= 500) request.log.error({ err: error }, 'a page of the console failed');
  if (status === 503) reply.header('retry-after', '1');
  const text =
    status === 500 ? 'Something went wrong. Try again later.' : `${known.message}. ${known.remedy}`;
  const content = html`<p role="alert">${text}</p><p><a href="/console">Back to the console</a></p>`;
  return send(reply.status(status), page('That did not work', content, styles));
};

/** Adds the pages that begin, show and end a session at the console. */
export const installConsolePages = (
  app: FastifyInstance,
  { settings, sql, way }: ConsolePagesOptions,
): void => {
  const hasSignIn = way !== null;
  const signedOut = signedOutPage(hasSignIn);
  app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => limitTime(reply, settings.requestTimeout));

    scope.setErrorHandler(failed);
    if (way !== null) {
      scope.register(async (limited) => {
        const limit = addressLimit(settings.maxSignInRequestsPerAddress * settings.rateLimitBoost);
        limited.addHook('onRequest', async (request, reply) => limit(request, reply));
        installSignIn(limited, { settings, sql, way });
      });
    }

    if (hasConsoleClient(settings)) {
      installIssuerLogout(scope, settings, sql);
      installReturn(scope, settings, (reply) => send(reply, leftPage));
    }

    const enter = enterPage(hasSignIn);
    scope.get('/console/enter', { exposeHeadRoute: true }, (_request, reply) => send(reply, enter));

    const isBundled = await installAppPages(scope, settings, hasSignIn);

    if (!isBundled)
      scope.get('/console', { exposeHeadRoute: true }, async ({ headers }, reply) => {
        const cookie = sessionOf(settings, headers.cookie);
        const session = cookie === null ? null : await findConsoleSession(sql, cookie);
        if (session === null || session.deleting) return send(reply, signedOut);
        return send(reply, signedInPage(await shownName(sql, session.uid)));
      });

    for (const [path, type, text] of [
      ['/console/enter.js', 'text/javascript', enterScript],
      ['/console/signed-in.js', 'text/javascript', signedInScript],
      ['/console/style.css', 'text/css', styleSheet],
    ] as const) {
      scope.get(path, { exposeHeadRoute: true }, (_request, reply) =>
        reply.header('content-type', `${type}; charset=utf-8`).header('cache-control', 'no-cache').send(text),
      );
    }
  });
};
