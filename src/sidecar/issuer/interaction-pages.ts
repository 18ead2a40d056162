import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isLocal, privateScheme } from '../../config/lists/index.js';
import { CochleaError } from '../../errors/index.js';
import { assistantResource } from '../../identity/index.js';
import { assistantsOf, interactionPath, ownClient } from '../../issuer/index.js';
import { addressOf, findUser, type UpstreamIdentity, userOfIdentity } from '../../store/accounts/index.js';
import { clientOf, formOf, type PageContext, sendPage } from './context.js';
import { finish, leadsTo, type Open, opened, pageAddress, redirectOf, textOf } from './interaction.js';
import { type ConsentRequest, consentPage, signInPage } from './pages.js';

const wrong = 'The e-mail address or the password is wrong.';
const limited =
  'Too many attempts. Try again in a quarter of an hour, or set a new password: then you can sign in at once.';

/**
 * Shows the sign-in page.
 * @param more the problem of the previous attempt, and the email address that the person entered.
 */
const showSignIn = (
  { settings, upstreams }: PageContext,
  reply: FastifyReply,
  open: Open,
  status = 200,
  more: { readonly problem?: string; readonly email?: string } = {},
): FastifyReply => {
  const ways = { upstreams: upstreams.list, signUp: settings.signUp === 'open' };
  return sendPage(reply, signInPage(pageAddress(open), open.client, ways, more), status, leadsTo(open));
};

/** Returns the content of the consent page for a request. */
const consentOf = async ({ settings, sql }: PageContext, open: Open): Promise<ConsentRequest> => {
  const { interaction, clientId, client } = open;
  const email = await addressOf(sql, interaction.session!.accountId);
  const scopes = assistantsOf(settings).has(clientId)
    ? textOf(interaction.params.scope).split(' ').filter(Boolean)
    : [];
  const { href, host } = redirectOf(open);
  const scheme = privateScheme(href);
  const local = isLocal(href);
  return { client, host: scheme === null ? host : `${scheme}:`, local, email, scopes };
};

const showConsent = async (
  context: PageContext,
  reply: FastifyReply,
  open: Open,
  problem?: string,
): Promise<FastifyReply> =>
  sendPage(
    reply,
    consentPage(pageAddress(open), await consentOf(context, open), problem),
    problem === undefined ? 200 : 400,
    leadsTo(open),
  );

/**
 * Signs a browser in. If the browser is signed in with another account, shows the sign-in page with that problem instead.
 * @throws CochleaError `account_deletion_in_progress`
 */
const signedInAs = async (
  context: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  open: Open,
  uid: string,
  how: readonly string[],
): Promise<FastifyReply> => {
  if ((await findUser(context.sql, uid))?.deleting) throw new CochleaError('account_deletion_in_progress');
  const session = await open.provider.Session.get(
    open.provider.createContext(request.raw, reply.raw) as never,
  );
  const already = session.accountId;
  if (already === undefined || already === uid) {
    return finish(request, reply, open, { login: { accountId: uid, amr: [...how] } }, false);
  }
  const problem = 'This browser is signed in with another account. Sign out there first.';
  return showSignIn(context, reply, open, 409, { problem });
};

/** Adds the pages for signing in with an account of another service. */
const installUpstreamPages = (app: FastifyInstance, context: PageContext): void => {
  const { settings, sql, upstreams } = context;

  app.get(`${interactionPath}/:uid/with/:name`, async (request, reply) => {
    const open = await opened(context, request, reply);
    const { name } = request.params as { name: string };
    return reply.redirect((await upstreams.begin(name, open.interaction.uid)).href, 303);
  });

  app.get(`${interactionPath}/:uid/returned/:name`, async (request, reply) => {
    const open = await opened(context, request, reply);
    if (open.interaction.prompt.name !== 'login') throw new CochleaError('sign_in_ended');
    const { name } = request.params as { name: string };
    const query = request.raw.url!.slice(request.raw.url!.indexOf('?') + 1);
    let identity: UpstreamIdentity;
    try {
      identity = await upstreams.finish(name, open.interaction.uid, query);
    } catch (error) {
      if (!(error instanceof CochleaError) || error.code !== 'upstream_failed') throw error;
      // The person may have cancelled at the other service. This page offers every way to sign in.
      const problem = `${error.message}. ${error.remedy}`;
      return showSignIn(context, reply, open, 502, { problem });
    }
    const uid = await userOfIdentity(sql, identity, settings.signUp === 'open');
    if (uid === null) throw new CochleaError('sign_up_closed');
    return signedInAs(context, request, reply, open, uid, [name]);
  });
};

/** Adds the pages for signing in with a password. */
const installSignIn = (app: FastifyInstance, context: PageContext): void => {
  const { settings, accounts, browsers } = context;

  app.post(`${interactionPath}/:uid/sign-in`, async (request, reply) => {
    const form = formOf(request, settings);
    const open = await opened(context, request, reply);
    if (open.interaction.prompt.name !== 'login') throw new CochleaError('sign_in_ended');
    const email = form.get('email') ?? '';
    const browser = await browsers.known(request, reply, email);
    const found = await accounts.signIn(email, form.get('password') ?? '', clientOf(request), browser);
    const again = (problem: string, status: number): FastifyReply =>
      showSignIn(context, reply, open, status, { problem, email });
    if (found === 'wrong') return again(wrong, 401);
    if (found === 'limited') return again(limited, 429);
    await browsers.remember(request, reply, found.email);
    return signedInAs(context, request, reply, open, found.uid, ['pwd', found.proof]);
  });
};

/** Adds the pages where a person allows or denies a client's access. */
const installConsent = (app: FastifyInstance, context: PageContext): void => {
  const { settings } = context;

  app.post(`${interactionPath}/:uid/consent`, async (request, reply) => {
    const form = formOf(request, settings);
    const open = await opened(context, request, reply);
    const { provider, interaction, clientId } = open;
    if (interaction.prompt.name !== 'consent') throw new CochleaError('sign_in_ended');
    const accountId = interaction.session!.accountId;
    const found = interaction.grantId ? await provider.Grant.find(interaction.grantId) : undefined;
    const own = found?.accountId === accountId && found.clientId === clientId ? found : undefined;
    const grant = own ?? new provider.Grant({ accountId, clientId });
    if (clientId === ownClient(settings)) {
      grant.addOIDCScope(textOf(interaction.params.scope));
    } else {
      const { scopes } = await consentOf(context, open);
      const allowed = scopes.filter((scope) => form.getAll('scope').includes(scope));
      if (allowed.length === 0) return showConsent(context, reply, open, 'Choose what it may do, or deny.');
      const resource = assistantResource(settings);
      const kept = grant
        .getResourceScope(resource)
        .split(' ')
        .filter((scope) => scope && !scopes.includes(scope));
      const denied = scopes.filter((scope) => !allowed.includes(scope));
      Object.assign(grant, {
        resources: { [resource]: [...kept, ...allowed].join(' ') },
        rejected: denied.length === 0 ? undefined : { resources: { [resource]: denied.join(' ') } },
      });
    }
    return finish(request, reply, open, { consent: { grantId: await grant.save() } });
  });

  app.post(`${interactionPath}/:uid/deny`, async (request, reply) => {
    formOf(request, settings);
    const open = await opened(context, request, reply);
    const denied = { error: 'access_denied', error_description: 'The user denied the request' };
    return finish(request, reply, open, denied, false);
  });
};

/**
 * Adds the pages where a person signs in and decides about an authorization request. Each page belongs to one request
 * and one browser. The page's address names the request. A signed cookie, which is valid only for this address, also
 * names the request.
 */
export const installInteractionPages = (app: FastifyInstance, context: PageContext): void => {
  app.get(`${interactionPath}/:uid`, async (request, reply) => {
    const open = await opened(context, request, reply);
    if (open.interaction.prompt.name === 'consent') return showConsent(context, reply, open);
    const provider = textOf(open.interaction.params.provider);
    if (context.upstreams.has(provider)) return reply.redirect(`${pageAddress(open)}/with/${provider}`, 303);
    return showSignIn(context, reply, open);
  });

  installUpstreamPages(app, context);
  installSignIn(app, context);
  installConsent(app, context);
};
