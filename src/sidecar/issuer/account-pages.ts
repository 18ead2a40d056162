import type { FastifyInstance, FastifyReply } from 'fastify';
import { CochleaError } from '../../errors/index.js';
import { assistantResource } from '../../identity/index.js';
import { assistantsOf, firstPartyClients, signedInPath } from '../../issuer/index.js';
import {
  addressOf,
  beginDeletion,
  consoleBrowsersOf,
  endConsoleBrowser,
  endConsoleBrowsers,
  endSession,
  findUser,
  grantsOf,
  revokeGrant,
  sessionsOf,
  signOutEverywhere,
} from '../../store/accounts/index.js';
import { clientOf, formOf, type PageContext, sendPage } from './context.js';
import { html, notice, styleSheet } from './html.js';
import { accountPage, deletionPage, linkRequestPage, passwordPage, passwordSetPage } from './pages.js';
import { accountForm, type SignedIn, signedIn, signInAddress } from './signed-in.js';

const linkForm = /^[\w-]{43}$/;

/** Seconds after a sign-in in which the account may be deleted. After that, the person must sign in again. */
const deletionSignIn = 600;
/** The `state` of a sign-in that redirects to the deletion page. */
const toDelete = 'delete';

const signedInLately = ({ signedInAt }: SignedIn): boolean => Date.now() / 1000 - signedInAt < deletionSignIn;

const endedLink = (reply: FastifyReply, { signUp }: PageContext['settings']): FastifyReply => {
  const ways = html`<ul><li><a href="/account/forgotten">Request a link for an account</a></li>
${signUp === 'open' && html`<li><a href="/account/sign-up">Make an account</a></li>`}
<li><a href="/account">Sign in</a></li></ul>`;
  const text = 'It has expired, or was used before. Request a new one, or sign in.';
  return sendPage(reply, notice('This link does not work', text, ways), 410);
};

/** Adds the account page, and the page where its sign-in ends. */
const installOverview = (app: FastifyInstance, context: PageContext): void => {
  const { settings, sql } = context;
  const assistants = assistantsOf(settings);

  app.get('/account', async (request, reply) => {
    const person = await signedIn(context, request, reply);
    if (person === null) return reply.redirect(signInAddress(settings), 303);
    const [email, sessions, grants, consoles] = await Promise.all([
      addressOf(sql, person.uid),
      sessionsOf(sql, person.uid),
      grantsOf(sql, person.uid),
      consoleBrowsersOf(sql, person.uid),
    ]);
    const resource = assistantResource(settings);
    return sendPage(
      reply,
      accountPage({
        uid: person.uid,
        email,
        token: person.token,
        thisSession: person.sessionUid,
        sessions,
        consoles,
        grants: grants.map((grant) => ({
          ...grant,
          name: assistants.get(grant.client_id)?.name ?? grant.client_id,
          scopes: (grant.resources?.[resource] ?? '').split(' ').filter(Boolean),
        })),
      }),
    );
  });

  app.get(signedInPath, (request, reply) => {
    const { state, error } = request.query as { state?: unknown; error?: unknown };
    if (error === 'temporarily_unavailable') {
      const text = 'Signing in does not work for a moment. Try again later.';
      return sendPage(reply, notice('Not signed in', text), 503);
    }
    if (error !== undefined) {
      return sendPage(reply, notice('Not signed in', 'You are not signed in. You can close this page.'));
    }
    return reply.redirect(state === toDelete ? '/account/delete' : '/account', 303);
  });
};

/** Adds the pages where a person requests a link by mail. */
const installLinkRequests = (app: FastifyInstance, { settings, accounts }: PageContext): void => {
  app.get('/account/sign-up', (_request, reply) =>
    settings.signUp === 'open'
      ? sendPage(reply, linkRequestPage(true))
      : sendPage(reply, notice('Make an account', 'Accounts are made by the operator of this service.'), 403),
  );
  app.get('/account/forgotten', (_request, reply) => sendPage(reply, linkRequestPage(false)));

  app.post('/account/link', async (request, reply) => {
    const form = formOf(request, settings);
    accounts.requestLink(form.get('email') ?? '', clientOf(request));
    return sendPage(
      reply,
      notice('Check your mail', 'If we may send mail to this address, a link is on its way. It works once.'),
    );
  });
};

/** Adds the pages to which links in mails lead. On these pages, people set a password. */
const installPasswordPages = (app: FastifyInstance, { settings, accounts, browsers }: PageContext): void => {
  app.get('/account/password', async (request, reply) => {
    const { link } = request.query as { link?: unknown };
    const found = typeof link === 'string' && linkForm.test(link) ? await accounts.readLink(link) : null;
    return found
      ? sendPage(reply, passwordPage(link as string, found.email, found.exists))
      : endedLink(reply, settings);
  });

  app.post('/account/password', async (request, reply) => {
    const form = formOf(request, settings);
    const link = form.get('link') ?? '';
    const found = linkForm.test(link) ? await accounts.readLink(link) : null;
    if (!found) return endedLink(reply, settings);
    try {
      if (!(await accounts.setPassword(link, form.get('password') ?? ''))) return endedLink(reply, settings);
    } catch (error) {
      if (!(error instanceof CochleaError) || error.code !== 'bad_request') throw error;
      return sendPage(reply, passwordPage(link, found.email, found.exists, error.message), 400);
    }
    await browsers.remember(request, reply, found.email);
    return sendPage(reply, passwordSetPage());
  });
};

/** Adds the pages where a person deletes the account. */
const installDeletion = (app: FastifyInstance, context: PageContext): void => {
  const { settings, sql } = context;
  const signInToDelete = signInAddress(settings, { prompt: 'login', state: toDelete });

  app.get('/account/delete', async (request, reply) => {
    const person = await signedIn(context, request, reply);
    if (person === null || !signedInLately(person)) return reply.redirect(signInToDelete, 303);
    const user = await findUser(sql, person.uid);
    return sendPage(reply, deletionPage(user?.email ?? person.uid, person.token));
  });

  app.get('/account/deleted', (_request, reply) =>
    sendPage(
      reply,
      notice(
        'Your account is being deleted',
        'All its data is being removed. The account can no longer be used. You can close this page.',
      ),
    ),
  );
  accountForm(app, context, '/account/delete', async (person, form) => {
    if (!signedInLately(person)) return signInToDelete;
    if (form.get('confirm') !== 'yes') return '/account/delete';
    await beginDeletion(sql, person.uid);
    return '/account/deleted';
  });
};

/** Adds the forms that end sessions and revoke access of assistants. */
const installEndings = (app: FastifyInstance, context: PageContext): void => {
  const { settings, sql } = context;

  app.get('/account/signed-out', (_request, reply) =>
    sendPage(
      reply,
      notice(
        'Signed out',
        'You are signed out. You can close this page.',
        html`<p><a href="/account">Sign in again</a></p>`,
      ),
    ),
  );

  accountForm(app, context, '/account/sign-out', async (person) => {
    await person.end();
    return '/account/signed-out';
  });
  accountForm(app, context, '/account/sign-out-everywhere', async ({ uid }) => {
    await signOutEverywhere(sql, uid, firstPartyClients(settings));
    return '/account/signed-out';
  });
  accountForm(app, context, '/account/sessions/:id/end', async ({ uid }, _form, id) => {
    await endSession(sql, uid, id);
    return '/account';
  });
  accountForm(app, context, '/account/consoles/:id/end', async ({ uid }, _form, id) => {
    await endConsoleBrowser(sql, uid, id);
    return '/account';
  });
  accountForm(app, context, '/account/consoles/end', async ({ uid }) => {
    await endConsoleBrowsers(sql, uid, null);
    return '/account';
  });
  accountForm(app, context, '/account/grants/:id/revoke', async ({ uid }, _form, id) => {
    await revokeGrant(sql, uid, id);
    return '/account';
  });
};

/** Adds the account pages: sign-up, links by mail, sessions, and access of assistants. */
export const installAccountPages = (app: FastifyInstance, context: PageContext): void => {
  app.get('/account/style.css', (_request, reply) =>
    reply
      .header('content-type', 'text/css; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(styleSheet),
  );

  installOverview(app, context);
  installLinkRequests(app, context);
  installPasswordPages(app, context);
  installDeletion(app, context);
  installEndings(app, context);
};
