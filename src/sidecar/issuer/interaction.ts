import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { privateScheme } from '../../config/lists/index.js';
import { CochleaError } from '../../errors/index.js';
import { interactionPath } from '../../issuer/index.js';
import type { PageContext } from './context.js';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** An authorization request that waits for a person's decision. */
export interface Open {
  readonly provider: Provider;
  readonly interaction: Interaction;
  readonly clientId: string;
  /** Name of the client. */
  readonly client: string;
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the authorization request that a page belongs to. @throws CochleaError `sign_in_ended` */
export const opened = async (
  { issuer }: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Open> => {
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

/** Returns the page address of a request. */
export const pageAddress = ({ interaction }: Open): string => `${interactionPath}/${interaction.uid}`;

/** Returns the address to which the client wants the person to be redirected. */
export const redirectOf = ({ interaction }: Open): URL => new URL(textOf(interaction.params.redirect_uri));

/**
 * Returns where a page's form may lead, for the page's content security policy. A policy cannot name IPv6 addresses
 * or private-use URLs. For these, returns only the scheme.
 */
export const leadsTo = (open: Open): string => {
  const { origin, hostname, protocol, href } = redirectOf(open);
  return hostname.startsWith('[') || privateScheme(href) !== null ? protocol : origin;
};

/**
 * Ends a page with a result and redirects the browser.
 * @param merge whether results of earlier pages of the same authorization request stay.
 */
export const finish = async (
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
