import { spawn } from 'node:child_process';
import { gone, lineOf } from './child-process.js';
import { buildGenerator } from './generator-process.js';

/** A server that accepts streams and counts their frames, but sends nothing. */
export interface NullServer {
  /** `ws://host:port` */
  readonly url: string;
  readonly pid: number;
  /** Returns the number of received frames, without keep-alives. */
  frames(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts the null server of bench/native/fleet on a free port. The null server also ends when this process ends.
 * @throws Error when it does not start.
 */
export const startNullServer = async (): Promise<NullServer> => {
  const [, program] = await buildGenerator();
  const child = spawn(program!, [], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [, port] = await lineOf(child, /"port":(\d+)/, 10_000);
  return {
    url: `ws://127.0.0.1:${port}`,
    pid: child.pid!,
    async frames() {
      const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return Number(/^null_server_frames_received_total (\d+)$/m.exec(page)?.[1]);
    },
    async stop() {
      child.stdin.end();
      await gone(child);
    },
  };
};
