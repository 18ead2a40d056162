import { sessionReads, sessionWrites } from '../access/index.js';
import type { Limit, Route } from '../frame/index.js';
import type { Policy } from '../limits/index.js';

/** Credential and rate limits of routes with which the console reads data. */
export const consoleReads = { access: sessionReads, limits: ['console:read'] } as const;
/** Credential and rate limits of routes with which the console changes data. */
export const consoleWrites = { access: sessionWrites, limits: ['console:write'] } as const;

/** Returns the id of the console's operation for an operation of REST. */
const consoleId = (operationId: string): string =>
  `console${operationId[0]!.toUpperCase()}${operationId.slice(1)}`;

/** Rate limits of REST that also count requests of the console. */
const shared: ReadonlySet<Policy> = new Set<Policy>(['dev:keys_create', 'mcp:keys_create']);

const isShared = (limit: Limit): boolean => typeof limit === 'string' && shared.has(limit);

/**
 * Copies routes of REST for the console. The copies keep the schemas, errors and handlers. They get the address,
 * credential and rate limits of the console. They also keep the limits on new keys, so REST and the console share these
 * limits.
 * @param addresses the console's address for each address of REST. Routes without an entry are left out.
 */
export const forConsole = (
  routes: readonly Route[],
  addresses: Readonly<Record<string, string>>,
): readonly Route[] =>
  routes
    .filter(({ url }) => Object.hasOwn(addresses, url))
    .map((route) => {
      const { access, limits } = route.method === 'GET' ? consoleReads : consoleWrites;
      return {
        ...route,
        access,
        limits: [...limits, ...route.limits.filter(isShared)],
        url: addresses[route.url]!,
        operationId: consoleId(route.operationId),
      };
    });
