import type { FastifyReply } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Settings } from '../config/index.js';
import { CochleaError } from '../errors/index.js';
import { ClientAddresses, RateLimit } from '../identity/index.js';

/** Allowed requests per hour of each policy. */
export const policyAllowances = {
  'dev:memories_read': 120,
  'dev:memories': 120,
  'dev:memories_batch': 15,
  'dev:action_items_read': 120,
  'dev:action_items_write': 120,
  'dev:goals_read': 120,
  'dev:goals_write': 120,
  'dev:conversations_read': 60,
  'dev:conversation_detail_read': 60,
  'dev:conversation_reads_total': 60,
  'dev:conversation_transcript_read': 25,
  'dev:conversations': 25,
  'dev:key_read': 120,
  'dev:keys': 240,
  'dev:keys_create': 60,
  'conversations:from-segments': 30,
} as const;

export type Policy = keyof typeof policyAllowances;

type RateSettings = Pick<Settings, 'rateLimitBoost' | 'maxKeyRequestsPerAddress'>;

const windowSeconds = 3600;

/** The policy that counts requests by client address. */
const byAddress = 'dev:keys_address';

export interface RateLimits {
  /**
   * Counts one request of a user against each of the policies and sets the headers of the one with fewest requests left.
   * @throws CochleaError `rate_limited`
   */
  consume(uid: string, names: readonly Policy[], reply: FastifyReply): Promise<void>;
  /**
   * Counts one request of a client address. Called before its credentials are checked.
   * @param address address of the client, as named by the front.
   * @throws CochleaError `rate_limited`
   */
  consumeAddress(address: string, reply: FastifyReply): void;
}

/**
 * Fixed windows of an hour, counted in this process. Requests are counted by user and not by key, because a user could
 * otherwise make more requests with more keys.
 * @param settings RATE_LIMIT_BOOST multiplies every limit.
 */
export const createRateLimits = (settings: RateSettings): RateLimits => {
  const { rateLimitBoost: boost, maxKeyRequestsPerAddress } = settings;
  // The front has found the client address already, so no proxies are declared here. Loopback clients are exempt.
  const addresses = new ClientAddresses(['loopback']);
  const addressLimit = new RateLimit(maxKeyRequestsPerAddress * boost);
  const limiters = new Map<Policy, RateLimiterMemory>();
  for (const name of Object.keys(policyAllowances) as Policy[]) {
    const points = policyAllowances[name] * boost;
    limiters.set(name, new RateLimiterMemory({ keyPrefix: name, points, duration: windowSeconds }));
  }
  const write = (reply: FastifyReply, limit: number, state: RateLimiterRes): number => {
    const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    reply.header('x-ratelimit-limit', limit);
    reply.header('x-ratelimit-remaining', Math.max(0, state.remainingPoints));
    reply.header('x-ratelimit-reset', seconds);
    return seconds;
  };
  return {
    async consume(uid, names, reply) {
      let tightest: { limit: number; state: RateLimiterRes } | undefined;
      for (const name of names) {
        const limiter = limiters.get(name)!;
        try {
          const state = await limiter.consume(uid);
          if (!tightest || state.remainingPoints < tightest.state.remainingPoints) {
            tightest = { limit: limiter.points, state };
          }
        } catch (refused) {
          if (!(refused instanceof RateLimiterRes)) throw refused;
          const seconds = write(reply, limiter.points, refused);
          reply.header('retry-after', seconds);
          throw new CochleaError('rate_limited', { policy: name, seconds });
        }
      }
      if (tightest) write(reply, tightest.limit, tightest.state);
    },
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
