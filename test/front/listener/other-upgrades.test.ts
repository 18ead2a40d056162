/**
 * Requests that ask `node:http` for an unsupported upgrade. The server must answer each request as if it had not asked
 * for an upgrade.
 */
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { startRig } from '../support.js';

/**
 * Number of requests. It is larger than 10, the number of event listeners above which Node warns of a leak.
 */
const times = 15;

t.test('answers one connection that repeatedly requests h2c with bodies', async (t) => {
  const warnings: string[] = [];
  const warned = (warning: Error): void => void warnings.push(warning.message);
  process.on('warning', warned);
  t.teardown(async () => void process.off('warning', warned));

  const sidecar = createServer((asked, answer) => {
    const chunks: Buffer[] = [];
    asked.on('data', (chunk: Buffer) => chunks.push(chunk));
    asked.once('end', () => answer.end(`${asked.headers.upgrade ?? 'none'} ${Buffer.concat(chunks)}`));
  });
  await new Promise<void>((resolve) => sidecar.listen(0, '127.0.0.1', resolve));
  t.teardown(async () => void sidecar.close());
  const { port } = sidecar.address() as AddressInfo;
  const { front } = await startRig(t, { settings: { listener: 'ws' }, sidecar: { host: '127.0.0.1', port } });

  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(async () => agent.destroy());
  let reused = 0;
  const ask = (body: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const asked = request({
        host: '127.0.0.1',
        port: front.port,
        agent,
        method: 'POST',
        headers: { connection: 'upgrade', upgrade: 'h2c', 'content-length': body.length },
      });
      asked.once('error', reject);
      asked.once('response', (answer) => {
        if (asked.reusedSocket) reused++;
        let text = '';
        answer.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        answer.once('end', () => resolve(text));
      });
      asked.end(body);
    });
  for (let count = 0; count < times; count++) t.equal(await ask(`body ${count}`), `none body ${count}`);
  t.equal(reused, times - 1, 'it is the same connection all along');
  t.same(warnings, [], 'nothing is left behind on the connection');
});
