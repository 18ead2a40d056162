/**
 * Records through the stream of a page while the engine and the sidecar are killed, the network is cut, and tokens are
 * renewed. Every spoken token is stored once, in one conversation. The long form: `CONSOLE_MINUTES=40 CONSOLE_KILLS=3
 * CONSOLE_CUT=60` (minutes of audio, kills of the engine, seconds of the cut). The clock runs at three times real time.
 */
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { WebSocket } from 'ws';
import { speechBursts } from '../../../bench/oracle/speech-bursts.js';
import { markSpeech } from '../../../bench/oracle/token-code.js';
import { tokensIn } from '../../../bench/oracle/token-words.js';
import { withDatabase } from '../../../src/app/database/operator-database.js';
import { LiveStream, type StreamState } from '../../../src/console/stream/live-stream.js';
import type { StreamSocket, StreamTime } from '../../../src/console/stream/socket.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { startProxy } from '../../journal/proxy.js';
import { type Service, startService } from '../../support/service.js';
import { until } from '../../support/until.js';

const minutes = Number(process.env.CONSOLE_MINUTES ?? 1);
const kills = Number(process.env.CONSOLE_KILLS ?? 1);
const cut = Number(process.env.CONSOLE_CUT ?? 5);

const pace = 3;
const rate = 16_000;
/** Samples of a token and the silence that ends its utterance. */
const turn = 2.8 * rate;
/** Lifetime of a token in seconds, as the page is told. The page renews a token after 70 % of it. */
const tokenLife = 10;

const fastTime: StreamTime = {
  now: () => performance.now() * pace,
  after: (milliseconds, action) => {
    const timer = setTimeout(action, milliseconds / pace);
    return () => clearTimeout(timer);
  },
};

/** Opens a session of the console. @returns a function that gets tokens as a page does, and counts them. */
const tokensOf = async (service: Service, uid: string) => {
  const headers = {
    origin: service.base,
    'sec-fetch-site': 'same-origin',
    'x-cochlea-console': '1',
    'content-type': 'application/json',
  };
  const { secret } = await withDatabase(service.settings, (sql) => createConsoleLink(sql, uid));
  const entered = await fetch(`${service.base}/console/api/enter`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ link: secret }),
  });
  const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
  const got = { count: 0 };
  const { 'content-type': _, ...rest } = headers;
  const token = async () => {
    const answer = await fetch(`${service.base}/console/api/stream-token`, {
      method: 'POST',
      headers: { ...rest, cookie },
    });
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    got.count++;
    const { token } = (await answer.json()) as { token: string };
    return { token, expires_in: tokenLife };
  };
  return { token, got };
};

/** Returns speech that consists of `count` turns, with one token in each. */
const tokenSpeech = async (count: number): Promise<Int16Array> => {
  const bursts = await speechBursts();
  const pcm = new Int16Array(count * turn);
  for (let token = 1; token <= count; token++) {
    pcm.set(markSpeech(bursts[token % bursts.length]!, token), (token - 1) * turn);
  }
  return pcm;
};

const killOne = async (service: Service, command: string): Promise<void> => {
  const pid = await until(() => service.processes(command)[0], `${command} runs`, 60_000);
  process.kill(pid, 'SIGKILL');
};

t.test(
  'every token is stored once, in one conversation',
  { timeout: 240_000 + minutes * 60_000 },
  async (t) => {
    const service = await startService(t, {
      COCHLEA_TEST_PROVIDERS: new URL('../../support/spoken-tokens/module.js', import.meta.url).pathname,
      STT_SERVICE_MODELS: 'provider_a',
      AUDIO_PACE: '16',
      AUDIO_BACKLOG: '300000',
    });
    const proxy = await startProxy(service.base);
    t.teardown(() => proxy.close());
    const { uid } = await service.user('faults');
    const { token, got } = await tokensOf(service, uid);
    const count = Math.round((minutes * 60 * rate) / turn);
    const pcm = await tokenSpeech(count);
    const states: StreamState[] = [];
    let [at, connections] = [0, 0];
    const stream = new LiveStream({
      address: `${proxy.url.replace(/^http/, 'ws').replace(/\/$/, '')}/v4/web/listen`,
      parameters: { source: 'desktop' },
      clock: 'faults',
      deviceId: 'faults',
      open: (address) => {
        connections++;
        return new WebSocket(address) as unknown as StreamSocket;
      },
      token,
      time: fastTime,
      random: () => 0.5,
      onMessage: () => undefined,
      onState: (state) => states.push(state),
    });
    const faults: readonly (() => Promise<void>)[] = [
      ...Array.from({ length: kills }, () => () => killOne(service, 'cochlea.js engine')),
      async () => {
        proxy.mode = 'silent';
        await pause((cut * 1000) / pace);
        proxy.mode = 'refused';
        proxy.mode = 'open';
      },
      () => killOne(service, 'cochlea.js sidecar'),
    ];
    stream.start();
    await until(() => stream.state.kind === 'live', 'the stream is live');
    const began = fastTime.now();
    let begun = 0;
    const running: Promise<void>[] = [];
    while (at < pcm.length) {
      const due = Math.min(pcm.length, Math.floor(((fastTime.now() - began) / 1000) * rate));
      stream.push(pcm.subarray(at, due));
      at = due;
      if (at >= (pcm.length * (begun + 1)) / (faults.length + 1) && begun < faults.length)
        running.push(faults[begun++]!());
      await pause(20);
    }
    await Promise.all(running);
    stream.stop();
    await until(() => stream.state.kind === 'saved', 'the recording is saved', 120_000);
    const { conversation } = stream.state as { conversation: string };
    const rows = await withDatabase(
      service.settings,
      (sql) =>
        sql<{ conversation_id: string; text: string }[]>`
        select s.conversation_id, s.text from segments s join conversations c on c.id = s.conversation_id
        where c.uid = ${uid} and not s.deleted`,
    );
    const stored = rows.flatMap(({ text }) => tokensIn(text)).sort((a, b) => a - b);
    const spoken = Array.from({ length: count }, (_, index) => index + 1);
    const lost = spoken.filter((number) => !stored.includes(number));
    const doubled = stored.filter((number, index) => stored[index - 1] === number);
    t.comment(
      `${minutes} min, ${kills} kills of the engine, ${connections} connections, ${got.count} tokens of the session: ` +
        `${count} words spoken, ${lost.length} missing, ${doubled.length} stored twice`,
    );
    t.same({ lost, doubled }, { lost: [], doubled: [] });
    t.same([...new Set(rows.map((row) => row.conversation_id))], [conversation], 'one conversation');
    t.equal(stream.lost, 0);
    t.ok(got.count > connections, 'tokens were renewed on open streams');
    t.ok(states.some(({ kind }) => kind === 'reconnecting'));
    t.match(states.at(-1), { kind: 'saved', unconfirmed: 0 });
  },
);
