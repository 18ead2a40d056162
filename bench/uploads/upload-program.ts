/**
 * The process of many uploads. It starts a service that transcribes complete files, and reports its address over IPC.
 * When it receives the engine's port, it sends waves of voice messages with a minute of speech each. In a wave, all
 * users send one message at the same time. The next wave begins after all answers. The process connects to loopback
 * only, and ends with its parent process.
 */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { speeches } from '../crowd/people.js';

export interface UploadOrder {
  readonly port: number;
  /** ID tokens of the users. Each user sends one upload per wave. */
  readonly tokens: readonly string[];
}

/** Results of all uploads since the program began. */
export interface UploadCounts {
  /** Number of waves whose uploads were all answered. */
  readonly waves: number;
  /**
   * Number of uploads by status. `unsaid`: a refusal without the required `Retry-After`. `broken`: no answer arrived.
   */
  readonly ended: Readonly<Record<string, number>>;
}

/** Length of a message's audio in seconds. */
const length = 60;
/** Sample rate of a message's audio in Hz. */
const rate = 16_000;
/** Ms that the service takes to transcribe a file. */
const transcribing = 200;
/** Number of bytes that a client sends at once. With the pauses of `pace`, this is 1.3 MB per second. */
const piece = 65_536;
/** Ms between two pieces that a client sends. */
const pace = 50;
/** HTTP statuses of a correct refusal. The answer must also have a `Retry-After`. */
const refusals: readonly (number | undefined)[] = [429, 503];

const startService = async (): Promise<string> => {
  const server = createServer((incoming, response) => {
    response.on('error', () => undefined);
    incoming.resume();
    incoming.once('end', () => {
      const answer = (): unknown =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ text: 'Good morning.' }));
      setTimeout(answer, transcribing);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const minuteOfSpeech = async (): Promise<Uint8Array> => {
  const [speech] = await speeches(1, length, 'pcm16', rate);
  return Buffer.concat(speech!.frames.map(({ bytes }) => bytes)).subarray(0, 2 * length * rate);
};

/** Sends a message. Stops when the answer arrives, because an early refusal closes the connection. */
const send = (port: number, token: string, body: Uint8Array): Promise<string> =>
  new Promise((resolve) => {
    const sending = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/v2/voice-message/transcribe',
      agent: false,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/octet-stream',
        'content-length': body.length,
      },
    });
    let at = 0;
    const timer = setInterval(() => {
      sending.write(body.subarray(at, at + piece));
      at += piece;
      if (at < body.length) return;
      clearInterval(timer);
      sending.end();
    }, pace);
    const end = (how: string): void => {
      clearInterval(timer);
      sending.destroy();
      resolve(how);
    };
    sending.on('error', () => end('broken'));
    sending.on('response', (response) => {
      const { statusCode, headers } = response;
      const said = !refusals.includes(statusCode) || /^\d+$/.test(headers['retry-after'] ?? '');
      response.resume();
      response.once('close', () =>
        end(response.complete ? (said ? String(statusCode) : 'unsaid') : 'broken'),
      );
    });
  });

/** Sends waves until a message arrives from the parent process. Then finishes the current wave. */
const upload = async ({ port, tokens }: UploadOrder): Promise<void> => {
  let last = false;
  // This handler is registered before the first await, so that it misses no message.
  process.once('message', () => {
    last = true;
  });
  const body = await minuteOfSpeech();
  const ended: Record<string, number> = {};
  for (let waves = 0; ; ) {
    await Promise.all(
      tokens.map(async (token) => {
        const how = await send(port, token, body);
        ended[how] = (ended[how] ?? 0) + 1;
      }),
    );
    waves++;
    if (!last) continue;
    const counts: UploadCounts = { waves, ended };
    if (process.connected) process.send?.(counts);
    return;
  }
};

process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => process.exit());
process.once('message', (order: UploadOrder) => void upload(order));
process.send?.(await startService());
