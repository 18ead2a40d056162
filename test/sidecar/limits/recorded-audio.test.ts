import type { FastifyRequest } from 'fastify';
import t from 'tap';
import { chargeRecorded } from '../../../src/sidecar/own/recorded-audio.js';

const charges = async (...counted: readonly number[]): Promise<number[]> => {
  const taken: number[] = [];
  const limits = {
    checkLeft: async () => undefined,
    consumeMore: async (_uid: string, _policy: string, amount: number) => void taken.push(amount),
  };
  await chargeRecorded(
    { limits: limits as never, uid: 'ann', request: {} as FastifyRequest },
    counted.map((ms) => ({ counted: ms })),
  );
  return taken;
};

t.test('the audio of all files is charged in seconds', async (t) => {
  t.same(await charges(1500, 2000), [4]);
  t.same(await charges(0), [0]);
});

t.test('an upload with more audio than the limit takes all of it, so that it can succeed', async (t) => {
  t.same(await charges(50 * 3_600_000, 50 * 3_600_000), [72 * 3600]);
});
