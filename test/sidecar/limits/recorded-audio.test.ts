import type { FastifyRequest } from 'fastify';
import t from 'tap';
import { createRateLimits } from '../../../src/sidecar/limits/index.js';
import { chargeRecorded } from '../../../src/sidecar/own/recorded-audio.js';

const charged = async (rateLimitBoost: number, ...counted: readonly number[]): Promise<number[]> => {
  const taken: number[] = [];
  const settings = {
    rateLimitBoost,
    rateLimitBoostExempt: [],
    rateLimitShadow: false,
    maxKeyRequestsPerAddress: 1,
  };
  const { allowed } = createRateLimits(undefined as never, settings as never);
  const limits = {
    allowed,
    checkLeft: async () => undefined,
    consumeMore: async (_uid: string, _policy: string, amount: number) => void taken.push(amount),
  };
  await chargeRecorded(
    { limits: limits as never, uid: 'ann', request: {} as FastifyRequest },
    counted.map((ms) => ({ counted: ms })),
  );
  return taken;
};

const charges = (...counted: readonly number[]): Promise<number[]> => charged(1, ...counted);

t.test('the audio of all files is charged in seconds', async (t) => {
  t.same(await charges(1500, 2000), [4]);
  t.same(await charges(0), [0]);
});

t.test('an upload with more audio than the limit takes all of it, so that it can succeed', async (t) => {
  t.same(await charges(50 * 3_600_000, 50 * 3_600_000), [72 * 3600]);
});

t.test('RATE_LIMIT_BOOST multiplies what an upload can take', async (t) => {
  t.same(await charged(10, 100 * 3_600_000), [100 * 3600]);
  t.same(await charged(10, 800 * 3_600_000), [720 * 3600]);
});
