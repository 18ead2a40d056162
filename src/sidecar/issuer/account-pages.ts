import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CochleaError } from '../../errors/index.js';
import { assistantResource, derivedKey, issuerSecret, publicAddress } from '../../identity/index.js';
import { assistantsOf, ownClient, pageClient, signedInPath } from '../../issuer/index.js';
import {
  addressOf,
  beginDeletion,
  endSession,
  findUser,
  grantsOf,
  revokeGrant,
  sessionsOf,
  signOutEverywhere,
} from '../../store/accounts/index.js';
import { clientOf, type Form, formOf, type PageContext, sendPage } from './context.js';
import { notice, styleSheet } from './html.js';
import { accountPage, deletionPage, linkRequestPage, passwordPage, passwordSetPage } from './pages.js';

interface SignedIn {
  readonly uid: string;
  readonly sessionUid: string;
  /** What the forms of this session carry. */
  readonly token: string;
  /** When the password was given, or the other service asked; seconds since the epoch. */
  readonly signedInAt: number;
  /** Ends the session. */
  end(): Promise<void>;
}

const linkForm = /^[\w-]{43}$/;

/** Seconds after a sign-in in which the account may be deleted; later the person has to sign in once more. */
const deletionSignIn = 600;
/** The `state` with which a sign-in leads back to the page of the deletion. */
const toDelete = 'delete';

/** Pages about an account: sign-up, links by mail, what is signed in and what assistants may do. */
export const installAccountPages = (app: FastifyInstance, context: PageContext): void => {
  const { settings, sql, issuer, accounts, browsers } = context;
  const assistants = assistantsOf(settings);

  /** Who is signed in with this browser; null if no account is. @throws CochleaError `account_deletion_in_progress` */
  const signedIn = async (request: FastifyRequest, reply: FastifyReply): Promise<SignedIn | null> => {
    const provider = await issuer.provider();
    const session = await provider.Session.get(provider.createContext(request.raw, reply.raw) as never);
    const { accountId } = session;
    const user = accountId ? await findUser(sql, accountId) : null;
    if (!accountId || user === null) return null;
    if (user.deleting) throw new CochleaError('account_deletion_in_progress');
    const key = derivedKey(await issuerSecret(settings), 'form tokens');
    return {
      uid: accountId,
      sessionUid: session.uid,
      token: createHmac('sha256', key).update(session.jti).digest('base64url'),
      signedInAt: (session as { loginTs?: number }).loginTs ?? 0,
      end: () => session.destroy(),
    };
  };

  /**
   * An authorization request of the account page itself: it brings a session, and its code is never used.
   * @param more `prompt` and `state` of the request.
   */
  const signInAddress = (more: Readonly<Record<string, string>> = {}): string => {
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      client_id: pageClient(settings),
      response_type: 'code',
      scope: 'openid',
      redirect_uri: `${publicAddress(settings)}${signedInPath}`,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    });
    return `/authorize?${query}`;
  };

  app.get('/account/style.css', (_request, reply) =>
    reply
      .header('content-type', 'text/css; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(styleSheet),
  );

  app.get('/account', async (request, reply) => {
    const person = await signedIn(request, reply);
    if (person === null) return reply.redirect(signInAddress(), 303);
    const [email, sessions, grants] = await Promise.all([
      addressOf(sql, person.uid),
      sessionsOf(sql, person.uid),
      grantsOf(sql, person.uid),
    ]);
    const resource = assistantResource(settings);
    return sendPage(
      reply,
      accountPage({
        email,
        token: person.token,
        thisSession: person.sessionUid,
        sessions,
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

  const signedInLately = ({ signedInAt }: SignedIn): boolean =>
    Date.now() / 1000 - signedInAt < deletionSignIn;
  const signInToDelete = signInAddress({ prompt: 'login', state: toDelete });

  app.get('/account/delete', async (request, reply) => {
    const person = await signedIn(request, reply);
    if (person === null || !signedInLately(person)) return reply.redirect(signInToDelete, 303);
    const user = await findUser(sql, person.uid);
    return sendPage(reply, deletionPage(user?.email ?? person.uid, person.token));
  });

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
      notice(
        'Look into your mail',
        'If we may send mail to this address, a link is on its way. It works once.',
      ),
    );
  });

  const endedLink = (reply: FastifyReply): FastifyReply =>
    sendPage(
      reply,
      notice('This link does not work', 'It has ended, or was used before. Ask for another one.'),
      410,
    );

  app.get('/account/password', async (request, reply) => {
    const { link } = request.query as { link?: unknown };
    const found = typeof link === 'string' && linkForm.test(link) ? await accounts.readLink(link) : null;
    return found
      ? sendPage(reply, passwordPage(link as string, found.email, found.exists))
      : endedLink(reply);
  });

  app.post('/account/password', async (request, reply) => {
    const form = formOf(request, settings);
    const link = form.get('link') ?? '';
    const found = linkForm.test(link) ? await accounts.readLink(link) : null;
    if (!found) return endedLink(reply);
    try {
      if (!(await accounts.setPassword(link, form.get('password') ?? ''))) return endedLink(reply);
    } catch (error) {
      if (!(error instanceof CochleaError) || error.code !== 'bad_request') throw error;
      return sendPage(reply, passwordPage(link, found.email, found.exists, error.message), 400);
    }
    await browsers.remember(request, reply, found.email);
    return sendPage(reply, passwordSetPage());
  });

  /** A form of the account page. */
  const accountForm = (
    url: string,
    work: (person: SignedIn, form: Form, id: string) => Promise<string>,
  ): void => {
    app.post(url, async (request, reply) => {
      const form = formOf(request, settings);
      const person = await signedIn(request, reply);
      if (person === null) return reply.redirect('/account', 303);
      const given = Buffer.from(form.get('token') ?? '');
      const expected = Buffer.from(person.token);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new CochleaError('form_foreign');
      }
      const { id = '' } = request.params as { id?: string };
      return reply.redirect(await work(person, form, id), 303);
    });
  };

  app.get('/account/signed-out', (_request, reply) =>
    sendPage(reply, notice('Signed out', 'You are signed out. You can close this page.')),
  );

  app.get('/account/deleted', (_request, reply) =>
    sendPage(
      reply,
      notice(
        'Your account is being deleted',
        'Everything that belongs to it is being removed. It cannot be used any more. You can close this page.',
      ),
    ),
  );
  accountForm('/account/delete', async (person, form) => {
    if (!signedInLately(person)) return signInToDelete;
    if (form.get('confirm') !== 'yes') return '/account/delete';
    await beginDeletion(sql, person.uid);
    return '/account/deleted';
  });

  accountForm('/account/sign-out', async (person) => {
    await person.end();
    return '/account/signed-out';
  });
  accountForm('/account/sign-out-everywhere', async ({ uid }) => {
    await signOutEverywhere(sql, uid, [ownClient(settings), pageClient(settings)]);
    return '/account/signed-out';
  });
  accountForm('/account/sessions/:id/end', async ({ uid }, _form, id) => {
    await endSession(sql, uid, id);
    return '/account';
  });
  accountForm('/account/grants/:id/revoke', async ({ uid }, _form, id) => {
    await revokeGrant(sql, uid, id);
    return '/account';
  });
};
