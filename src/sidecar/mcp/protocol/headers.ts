import type { FastifyRequest } from 'fastify';
import { CochleaError } from '../../../errors/index.js';
import { isRevision, revisions } from '../streams/index.js';

/** Returns the first value of a header. @param name in lower case */
export const headerOf = ({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** Checks the revision that a request names. @throws CochleaError `bad_request` if it is not supported. */
export const checkRevision = (request: Pick<FastifyRequest, 'headers'>): void => {
  const named = headerOf(request, 'mcp-protocol-version');
  if (named === undefined || isRevision(named)) return;
  throw new CochleaError('bad_request', {
    why: `MCP-Protocol-Version must be one of ${revisions.join(', ')}`,
  });
};
