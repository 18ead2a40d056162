/**
 * Many concurrent voice messages, some hostile, against the whole product. Each gets a final answer, and no files
 * remain.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import t from 'tap';
import { says, startBatchStub } from '../support/servers/batch-stub.js';
import { serviceOnTestDatabase } from '../support/service.js';
import { scene } from '../support/texts/speech.js';
import { until } from '../support/until.js';

const uploads = 50;
/** Duration of the audio in each message, in seconds. */
const length = 60;
const path = '/v2/voice-message/transcribe';
/**
 * Maximum growth of the sidecar's memory in KB, for any number of consecutive messages. Audio on disk must not be in
 * memory as well. Eight decoding threads need most of this growth: up to 430,000 KB, or 550,000 KB if other work slows
 * them down.
 */
const mostGrowth = 700_000;
/** Maximum number of concurrent messages. */
const places = 8;
/** Number of further waves of messages. */
const further = 5;

const memoryKb = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);

/** Returns the voice message files that a process has open. */
const heldFiles = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/${pid}/fd/${fd}`);
      return /\/voice\//.test(target) ? [target] : [];
    } catch {
      // The process closed the file meanwhile.
      return [];
    }
  });

interface Given {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: Record<string, unknown>;
}

const skip = process.platform === 'linux' ? false : 'the test reads /proc, which only Linux has';

t.test('many simultaneous voice messages', { skip, timeout: 300_000 }, async (t) => {
  const stub = await startBatchStub((response, record) => {
    setTimeout(() => says({ text: 'Good morning.' })(response, record), 200);
  });
  t.teardown(() => stub.stop());
  const service = await serviceOnTestDatabase(t, {
    STT_SERVICE_MODELS: 'provider_b',
    MODULATE_API_KEY: 'secret-key',
    MODULATE_BATCH_URL: `${stub.url}/api/velma-2-stt-batch`,
  });
  const [sidecar] = service.processes(' sidecar');
  t.ok(sidecar, 'the sidecar was found');
  const { pcm } = await scene([0, 1, 2, 3], 400);
  const minute = new Int16Array(length * 16_000);
  for (let at = 0; at < minute.length; at += pcm.length)
    minute.set(pcm.subarray(0, Math.min(pcm.length, minute.length - at)), at);
  const body = new Uint8Array(minute.buffer);
  const users = await Promise.all(
    Array.from({ length: uploads / 2 }, (_, index) => service.user(`speaker-${index}`)),
  );
  /**
   * Sends a message at network speed and stops when the answer arrives. An early refusal closes the connection. Further writing would then
   * fail and hide the answer.
   */
  const send = (index: number, pause = 50): Promise<Given> =>
    new Promise((resolve, reject) => {
      const sending = request(service.base + path, {
        method: 'POST',
        agent: false,
        headers: {
          authorization: `Bearer ${users[index % users.length]!.token}`,
          'content-type': 'application/octet-stream',
          'content-length': body.length,
          // Each user has its own address, as behind a proxy.
          'x-forwarded-for': `198.51.100.${(index % users.length) + 1}`,
        },
      });
      let at = 0;
      const timer = setInterval(() => {
        sending.write(body.subarray(at, at + 65_536));
        at += 65_536;
        if (at < body.length) return;
        clearInterval(timer);
        sending.end();
      }, pause);
      sending.on('error', (error) => {
        clearInterval(timer);
        reject(error);
      });
      sending.on('response', async (response) => {
        clearInterval(timer);
        try {
          resolve({
            status: response.statusCode!,
            retryAfter: response.headers['retry-after'],
            body: (await json(response)) as Record<string, unknown>,
          });
        } catch (error) {
          reject(error);
        } finally {
          sending.destroy();
        }
      });
    });

  await t.test(`${uploads} messages of ${length} s at once`, async (t) => {
    const before = memoryKb(sidecar!, 'VmRSS');
    const answers = await Promise.all(Array.from({ length: uploads }, (_, index) => send(index)));
    const counts: Record<number, number> = {};
    for (const { status, body: given, retryAfter } of answers) {
      counts[status] = (counts[status] ?? 0) + 1;
      if (status === 200) t.match(given, { outcome: 'success', stt_provider: 'provider_b' });
      else {
        t.ok(status === 429 || status === 503, `${status} ${JSON.stringify(given)}`);
        t.match(retryAfter, /^\d+$/, 'with Retry-After');
      }
    }
    t.ok(counts[200]! >= places, 'every slot was used');
    // Regression: data that was sent to a provider stayed in unused memory, so each message enlarged the process.
    for (let wave = 0; wave < further; wave++) {
      const again = await Promise.all(Array.from({ length: places }, (_, index) => send(index, 5)));
      for (const { status } of again) t.equal(status, 200, 'a message with a free slot');
    }
    const growth = memoryKb(sidecar!, 'VmHWM') - before;
    t.ok(growth < mostGrowth, `the sidecar grew by ${growth} KB`);
    t.comment(`answers by status: ${JSON.stringify(counts)}; the sidecar grew by ${growth} KB at most`);
  });

  /** Sends only the head of a request and a piece of its body. @returns the product's answer. */
  const begin = (headers: readonly string[], piece = ''): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(service.base);
      const socket = connect(Number(port), hostname);
      let said = '';
      socket.on('data', (bytes) => {
        said += bytes.toString('latin1');
        if (/\r\n\r\n/.test(said)) socket.destroy();
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(said));
      const lines = [`POST ${path} HTTP/1.1`, 'Host: service', ...headers, '', piece];
      socket.write(lines.join('\r\n'));
    });
  const authorised = (index: number): string => `Authorization: Bearer ${users[index]!.token}`;
  const octets = 'Content-Type: application/octet-stream';

  await t.test('refuses a message with a large Content-Length before its body', async (t) => {
    const said = await begin([authorised(0), octets, 'Content-Length: 200000001']);
    t.match(said, /^HTTP\/1\.1 413 /);
  });

  await t.test('uploads that stop do not occupy slots of others', async (t) => {
    const { hostname, port } = new URL(service.base);
    const stalled = users.slice(0, 4).map(({ token }, index) => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: service\r\nAuthorization: Bearer ${token}\r\n${octets}\r\nX-Forwarded-For: 203.0.113.${index + 1}\r\nContent-Length: 1000000\r\n\r\n${'a'.repeat(70_000)}`,
      );
      return socket;
    });
    await until(() => heldFiles(sidecar!).length === stalled.length, 'the uploads have started');
    t.equal((await send(10)).status, 200);
    for (const socket of stalled) socket.destroy();
    await until(() => heldFiles(sidecar!).length === 0, 'their files are removed');
    t.same(readdirSync(join(service.dataDir, 'voice')), [], 'no file has a name');
  });
});
