import type { MessagePort } from 'node:worker_threads';
import type { FrameSample, Verdict } from '../../audio/readability/index.js';
import type { CheckSample } from './stream-check.js';

/** Shard to main thread; the bytes of the sample are transferred. */
interface CheckRequest {
  readonly id: number;
  readonly user: string;
  readonly sample: FrameSample;
}

/** Main thread to shard. */
interface CheckAnswer {
  readonly id: number;
  readonly verdict: Verdict | undefined;
}

/**
 * The shard's end of what judges samples, which the main thread owns. The port keeps no thread alive; the caller, who made it, closes it.
 * Then what is awaited resolves with undefined.
 */
export const createReadabilityCheck = (port: MessagePort): CheckSample => {
  const awaited = new Map<number, (verdict: Verdict | undefined) => void>();
  let lastId = 0;
  let closed = false;
  const settle = ({ id, verdict }: CheckAnswer): void => {
    awaited.get(id)?.(verdict);
    awaited.delete(id);
  };
  port.on('message', settle);
  port.on('close', () => {
    closed = true;
    for (const id of [...awaited.keys()]) settle({ id, verdict: undefined });
  });
  port.unref();
  return (user, sample) => {
    if (closed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const id = ++lastId;
      awaited.set(id, resolve);
      port.postMessage({ id, user, sample } satisfies CheckRequest, [sample.bytes.buffer]);
    });
  };
};

/** The main thread's end. */
export const serveReadability = (port: MessagePort, check: CheckSample): void => {
  port.on('message', ({ id, user, sample }: CheckRequest) => {
    void check(user, sample).then((verdict) => port.postMessage({ id, verdict } satisfies CheckAnswer));
  });
  port.unref();
};
