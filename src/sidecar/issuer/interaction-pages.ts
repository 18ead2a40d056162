import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { isLocal, privateScheme } from '../../config/lists/index.js';
import { CochleaError } from '../../errors/index.js';
import { assistantResource } from '../../identity/index.js';
import { assistantsOf, interactionPath, ownClient } from '../../issuer/index.js';
import { addressOf, findUser, type UpstreamIdentity, userOfIdentity } from '../../store/accounts/index.js';
import { clientOf, formOf, type PageContext, sendPage } from './context.js';
import { type ConsentRequest, consentPage, signInPage } from './pages.js';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

interface Open {
  readonly provider: Provider;
  readonly interaction: Interaction;
  readonly clientId: string;
  readonly client: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const wrong = 'The e-mail address or the password is wrong.';
const limited =
  'Too many attempts. Try again in a quarter of an hour, or set a new password: then you can sign in at once.';

/**
 * The pages on which a person signs in and decides about an authorization request. Each belongs to one request and one browser:
 * its address names the request, and so does a signed cookie that is sent to this address alone.
 */
export const installInteractionPages = (app: FastifyInstance, context: PageContext): void => {
  const { settings, sql, issuer, accounts, upstreams, browsers } = context;
  const assistants = assistantsOf(settings);
  const ways = { upstreams: upstreams.list, signUp: settings.signUp === 'open' };

  /** The authorization request that a page belongs to. @throws CochleaError `sign_in_ended` */
  const opened = async (request: FastifyRequest, reply: FastifyReply): Promise<Open> => {
    const provider = await issuer.provider();
    const interaction = await provider.interactionDetails(request.raw, reply.raw).catch((error: unknown) => {
      throw (error as Error).name === 'SessionNotFound' ? new CochleaError('sign_in_ended') : error;
    });
    const { uid } = request.params as { uid: string };
    if (interaction.uid !== uid) throw new CochleaError('sign_in_ended');
    const clientId = textOf(interaction.params.client_id);
    const client = (await provider.Client.find(clientId))?.clientName ?? clientId;
    return { provider, interaction, clientId, client };
  };

  const address = ({ interaction }: Open): string => `${interactionPath}/${interaction.uid}`;
  const redirectOf = ({ interaction }: Open): URL => new URL(textOf(interaction.params.redirect_uri));
  /** Where forms may lead, for the policy of a page. Policies cannot name IPv6 addresses, nor more of private-use schemes than the scheme. */
  const leadsTo = (open: Open): string => {
    const { origin, hostname, protocol, href } = redirectOf(open);
    return hostname.startsWith('[') || privateScheme(href) !== null ? protocol : origin;
  };

  const consentOf = async (open: Open): Promise<ConsentRequest> => {
    const { interaction, clientId, client } = open;
    const email = await addressOf(sql, interaction.session!.accountId);
    const scopes = assistants.has(clientId)
      ? textOf(interaction.params.scope).split(' ').filter(Boolean)
      : [];
    const { href, host } = redirectOf(open);
    const scheme = privateScheme(href);
    const local = isLocal(href);
    return { client, host: scheme === null ? host : `${scheme}:`, local, email, scopes };
  };

  const showConsent = async (reply: FastifyReply, open: Open, problem?: string): Promise<FastifyReply> =>
    sendPage(
      reply,
      consentPage(address(open), await consentOf(open), problem),
      problem === undefined ? 200 : 400,
      leadsTo(open),
    );

  const finish = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { provider }: Open,
    result: Parameters<Provider['interactionResult']>[2],
    merge = true,
  ): Promise<FastifyReply> => {
    const next = await provider.interactionResult(request.raw, reply.raw, result, {
      mergeWithLastSubmission: merge,
    });
    return reply.redirect(next, 303);
  };

  /**
   * Signs a browser in, unless another account is signed in with it, perhaps since the interaction began.
   * @throws CochleaError `account_deletion_in_progress`
   */
  const signedInAs = async (
    request: FastifyRequest,
    reply: FastifyReply,
    open: Open,
    uid: string,
    how: readonly string[],
  ): Promise<FastifyReply> => {
    if ((await findUser(sql, uid))?.deleting) throw new CochleaError('account_deletion_in_progress');
    const session = await open.provider.Session.get(
      open.provider.createContext(request.raw, reply.raw) as never,
    );
    const already = session.accountId;
    if (already === undefined || already === uid) {
      return finish(request, reply, open, { login: { accountId: uid, amr: [...how] } }, false);
    }
    const problem = 'This browser is signed in with another account. Sign out there first.';
    const text = signInPage(address(open), open.client, ways, { problem });
    return sendPage(reply, text, 409, leadsTo(open));
  };

  app.get(`${interactionPath}/:uid`, async (request, reply) => {
    const open = await opened(request, reply);
    if (open.interaction.prompt.name === 'consent') return showConsent(reply, open);
    const provider = textOf(open.interaction.params.provider);
    if (upstreams.has(provider)) return reply.redirect(`${address(open)}/with/${provider}`, 303);
    return sendPage(reply, signInPage(address(open), open.client, ways), 200, leadsTo(open));
  });

  app.get(`${interactionPath}/:uid/with/:name`, async (request, reply) => {
    const open = await opened(request, reply);
    const { name } = request.params as { name: string };
    return reply.redirect((await upstreams.begin(name, open.interaction.uid)).href, 303);
  });

  app.get(`${interactionPath}/:uid/returned/:name`, async (request, reply) => {
    const open = await opened(request, reply);
    if (open.interaction.prompt.name !== 'login') throw new CochleaError('sign_in_ended');
    const { name } = request.params as { name: string };
    const query = request.raw.url!.slice(request.raw.url!.indexOf('?') + 1);
    let identity: UpstreamIdentity;
    try {
      identity = await upstreams.finish(name, open.interaction.uid, query);
    } catch (error) {
      if (!(error instanceof CochleaError) || error.code !== 'upstream_failed') throw error;
      // The person may have cancelled there, and finds every way to sign in on this page.
      const problem = `${error.message}. ${error.entry.remedy}`;
      return sendPage(reply, signInPage(address(open), open.client, ways, { problem }), 502, leadsTo(open));
    }
    const uid = await userOfIdentity(sql, identity, settings.signUp === 'open');
    if (uid === null) throw new CochleaError('sign_up_closed');
    return signedInAs(request, reply, open, uid, [name]);
  });

  app.post(`${interactionPath}/:uid/sign-in`, async (request, reply) => {
    const form = formOf(request, settings);
    const open = await opened(request, reply);
    if (open.interaction.prompt.name !== 'login') throw new CochleaError('sign_in_ended');
    const email = form.get('email') ?? '';
    const browser = await browsers.known(request, reply, email);
    const found = await accounts.signIn(email, form.get('password') ?? '', clientOf(request), browser);
    const again = (problem: string, status: number): FastifyReply =>
      sendPage(
        reply,
        signInPage(address(open), open.client, ways, { problem, email }),
        status,
        leadsTo(open),
      );
    if (found === 'wrong') return again(wrong, 401);
    if (found === 'limited') return again(limited, 429);
    await browsers.remember(request, reply, found.email);
    return signedInAs(request, reply, open, found.uid, ['pwd', found.proof]);
  });

  app.post(`${interactionPath}/:uid/consent`, async (request, reply) => {
    const form = formOf(request, settings);
    const open = await opened(request, reply);
    const { provider, interaction, clientId } = open;
    if (interaction.prompt.name !== 'consent') throw new CochleaError('sign_in_ended');
    const accountId = interaction.session!.accountId;
    const found = interaction.grantId ? await provider.Grant.find(interaction.grantId) : undefined;
    const own = found?.accountId === accountId && found.clientId === clientId ? found : undefined;
    const grant = own ?? new provider.Grant({ accountId, clientId });
    if (clientId === ownClient(settings)) {
      grant.addOIDCScope(textOf(interaction.params.scope));
    } else {
      const { scopes } = await consentOf(open);
      const allowed = scopes.filter((scope) => form.getAll('scope').includes(scope));
      if (allowed.length === 0) return showConsent(reply, open, 'Choose what it may do, or deny.');
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
    const open = await opened(request, reply);
    const denied = { error: 'access_denied', error_description: 'The user denied the request' };
    return finish(request, reply, open, denied, false);
  });
};
