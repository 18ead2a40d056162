import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { ClientAddresses, RateLimit } from '../../identity/index.js';
import {
  type Counted,
  type CountedTogether,
  countedTogether,
  countMore,
  countRequest,
  countSpent,
  fullFor,
  type RateWindow,
} from '../../store/accounts/index.js';
import type { Sql } from '../../store/client/index.js';
import { type Policy, ratePolicies } from './rate-policies.js';

type RateSettings = Pick<
  Settings,
  'rateLimitBoost' | 'rateLimitBoostExempt' | 'rateLimitShadow' | 'maxKeyRequestsPerAddress'
>;

/** The policy that counts requests by client address. */
const byAddress = 'dev:keys_address';
/**
 * Maximum number of full windows that are remembered. Further requests in a remembered window are refused without an
 * SQL statement. Requests with keys do not use these windows, because the statement that reads the key also counts the
 * request.
 */
const remembered = 10_000;
/** Policies that count a request. They never change, so a route creates one object for each combination of policies. */
export interface CountedPolicies {
  readonly policies: readonly Policy[];
  /** Parameters for an SQL statement that counts the request. */
  readonly counted: CountedTogether;
}

export interface RateLimits {
  /** Prepares policies for counting. */
  counted(policies: readonly Policy[]): CountedPolicies;
  /**
   * Counts a user's request against each policy. Sets the headers of the policy with the fewest requests left.
   * @throws CochleaError `rate_limited`
   */
  consume(
    uid: string,
    policies: CountedPolicies,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void>;
  /**
   * Like `consume`, for a request that another statement has already counted.
   * @param windows the rate limit windows that counted the request.
   * @throws CochleaError `rate_limited`
   */
  consumed(
    uid: string,
    policies: CountedPolicies,
    windows: readonly RateWindow[],
    request: FastifyRequest,
    reply: FastifyReply,
  ): void;
  /**
   * Counts further units of a request, for example the other messages of a batch. Counts all of them, or none if they do not fit into the
   * window.
   * @throws CochleaError `rate_limited`
   */
  consumeMore(uid: string, policy: Policy, count: number, request: FastifyRequest): Promise<void>;
  /** Returns the number of units that a user may use in a window. RATE_LIMIT_BOOST may multiply it. */
  allowed(policy: Policy): number;
  /**
   * Counts units that a request has already used, whether it succeeds or fails. If they do not fit into the window,
   * fills the window instead of refusing the request.
   */
  spent(uid: string, policy: Policy, count: number): Promise<void>;
  /**
   * Checks that a window has space, before work whose units are counted only at its end.
   * @throws CochleaError `rate_limited`
   */
  checkLeft(uid: string, policy: Policy, request: FastifyRequest): Promise<void>;
  /**
   * Counts a request of a client address. Called before its credentials are checked.
   * @param address client address as forwarded by the front.
   * @throws CochleaError `rate_limited`
   */
  consumeAddress(address: string, reply: FastifyReply): void;
}

interface FullWindow extends RateWindow {
  /** Wall clock, ms. */
  readonly endsAt: number;
}

/**
 * Full rate limit windows by user and policy, remembered from earlier requests. When there are too many, the
 * oldest entry is removed.
 */
class FullWindows {
  readonly #windows = new Map<string, FullWindow>();

  add(uid: string, window: RateWindow): void {
    this.#windows.set(`${uid}\0${window.policy}`, {
      ...window,
      endsAt: Date.now() + window.remaining * 1000,
    });
    if (this.#windows.size > remembered) this.#windows.delete(this.#windows.keys().next().value!);
  }

  find(uid: string, policies: readonly Policy[]): RateWindow | undefined {
    if (this.#windows.size === 0) return undefined;
    for (const policy of policies) {
      const key = `${uid}\0${policy}`;
      const window = this.#windows.get(key);
      if (window === undefined) continue;
      const remaining = (window.endsAt - Date.now()) / 1000;
      if (remaining > 0) return { ...window, remaining };
      this.#windows.delete(key);
    }
    return undefined;
  }
}

const write = (reply: FastifyReply, window: RateWindow): number => {
  const seconds = Math.max(1, Math.ceil(window.remaining));
  reply.header('x-ratelimit-policy', window.policy);
  reply.header('x-ratelimit-limit', window.allowed);
  reply.header('x-ratelimit-remaining', Math.max(0, window.allowed - window.used));
  reply.header('x-ratelimit-reset', seconds);
  return seconds;
};

const fewestLeft = (windows: readonly RateWindow[]): RateWindow | undefined =>
  windows.reduce<RateWindow | undefined>((least, window) => {
    const left = window.allowed - window.used;
    return least === undefined || left < least.allowed - least.used ? window : least;
  }, undefined);

/** Maximum count that the database can store. A higher limit would never apply. */
const mostCounted = 2_147_483_647;

/** Refuses a request because its window is full. In shadow mode it only logs. @throws CochleaError `rate_limited` */
const refuse = (
  { rateLimitShadow }: RateSettings,
  window: RateWindow,
  uid: string,
  request: FastifyRequest,
  reply: FastifyReply,
): void => {
  const seconds = write(reply, window);
  request.log.warn(
    {
      policy: window.policy,
      uid,
      keyId: request.caller?.key?.id ?? null,
      shadow: rateLimitShadow,
    },
    'rate limit exceeded',
  );
  if (rateLimitShadow) return;
  reply.header('retry-after', seconds);
  throw new CochleaError('rate_limited', { policy: window.policy, seconds });
};

/**
 * Refuses further units of a request if its window is full.
 * @param remaining seconds until the full window ends; null if the window has space.
 * @throws CochleaError `rate_limited`
 */
const refuseMore = (
  { rateLimitShadow }: RateSettings,
  uid: string,
  policy: Policy,
  remaining: number | null,
  request: FastifyRequest,
): void => {
  if (remaining === null) return;
  request.log.warn({ policy, uid, shadow: rateLimitShadow }, 'rate limit exceeded');
  if (rateLimitShadow) return;
  throw new CochleaError('rate_limited', { policy, seconds: Math.max(1, Math.ceil(remaining)) });
};

/**
 * Creates rate limits with fixed windows in the database, which all sidecars share. Each request needs one statement.
 * If a request has a key, the statement that reads the key also counts the request. Requests count by user, so that
 * more keys do not allow more requests.
 * @param settings RATE_LIMIT_BOOST multiplies every limit; RATE_LIMIT_SHADOW_MODE only logs.
 */
export const createRateLimits = (sql: Sql, settings: RateSettings): RateLimits => {
  const { rateLimitBoost: boost, maxKeyRequestsPerAddress } = settings;
  // The front has already found the client address, so no proxies are declared here. Loopback clients are exempt.
  const addresses = new ClientAddresses(['loopback']);
  const addressLimit = new RateLimit(maxKeyRequestsPerAddress * boost);
  const full = new FullWindows();

  const counted = (policy: Policy): Counted => {
    const { allowed, seconds } = ratePolicies[policy];
    return {
      policy,
      allowed: settings.rateLimitBoostExempt.includes(policy)
        ? allowed
        : Math.min(mostCounted, allowed * boost),
      seconds,
    };
  };

  const consumed: RateLimits['consumed'] = (uid, { policies }, windows, request, reply) => {
    const refused = windows.find(({ admitted }) => !admitted);
    if (refused) {
      full.add(uid, refused);
      return refuse(settings, refused, uid, request, reply);
    }
    // The statement returns no row for a window that became full while it ran.
    const lost = policies.find((policy) => !windows.some((window) => window.policy === policy));
    if (lost !== undefined) {
      const { allowed } = counted(lost);
      const window = { policy: lost, admitted: false, used: allowed, allowed, remaining: 1 };
      return refuse(settings, window, uid, request, reply);
    }
    const tightest = fewestLeft(windows);
    if (tightest) write(reply, tightest);
  };

  return {
    counted: (policies) => ({ policies, counted: countedTogether(policies.map(counted)) }),

    async consume(uid, policies, request, reply) {
      const known = full.find(uid, policies.policies);
      if (known) return refuse(settings, known, uid, request, reply);
      return consumed(uid, policies, await countRequest(sql, uid, policies.counted), request, reply);
    },

    consumed,

    consumeMore: async (uid, policy, count, request) =>
      refuseMore(settings, uid, policy, await countMore(sql, uid, counted(policy), count), request),

    allowed: (policy) => counted(policy).allowed,

    spent: (uid, policy, count) => countSpent(sql, uid, counted(policy), count),

    checkLeft: async (uid, policy, request) =>
      refuseMore(settings, uid, policy, await fullFor(sql, uid, counted(policy)), request),

    consumeAddress(address, reply) {
      const client = addresses.of(address, '');
      const wait = client.exempt ? 0 : addressLimit.take(client.group);
      if (wait === 0) return;
      const seconds = Math.max(1, Math.ceil(wait / 1000));
      reply.header('retry-after', seconds);
      throw new CochleaError('rate_limited', { policy: byAddress, seconds });
    },
  };
};
