/** Tests spoken chat messages: their events, failures before and during the events, and clients that disconnect. */
import { request } from 'node:http';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { errorRegistry } from '../../../src/errors/registry.js';
import type { RecordingWork } from '../../../src/pipeline/words/recordings.js';
import { withoutNative } from '../../audio/support.js';
import { recorded } from '../../recordings/frame-files.js';
import { scene } from '../../support/texts/speech.js';
import { until } from '../../support/until.js';
import { eventsIn, recordIn } from '../records/chat-events.js';
import { fromSegments, said, silentUpload, startAnother, startApi, uploadForm } from '../support.js';

const path = '/v2/voice-messages';
type Transcription = RecordingWork['transcription'];
type Request = Parameters<Transcription['transcribe']>[0];
type Result = Awaited<ReturnType<Transcription['transcribe']>>;

const result = (outcome: string, text: unknown = ''): Result =>
  ({ outcome, text, provider: 'local', waited: 0, decoded: 0 }) as Result;
const name = 'audio_pendant_pcm16_16000_1_1767225600.bin';

/** Returns the fields of a failure, as `docs/rest.md` defines them. */
const failure = (code: keyof typeof errorRegistry, provider = 'local') => ({
  error: code,
  outcome: { stt_provider_configuration_error: 'config_error' }[code as string] ?? code.slice('stt_'.length),
  provider,
  retryable: errorRegistry[code].retryable,
  message: errorRegistry[code].message,
});

t.test('spoken chat messages', { skip: withoutNative }, async (t) => {
  let answer: (request: Request) => Promise<Result> | Result = () => result('success', '');
  let asked: Request[] = [];
  const transcription: Transcription = {
    transcribe: async (request) => {
      asked.push(request);
      return answer(request);
    },
    close: async () => undefined,
  };
  const metrics = await freePort();
  const api = await startApi(
    t,
    { SIDECAR_METRICS_PORT: String(metrics), RATE_LIMIT_BOOST: '1' },
    undefined,
    transcription,
  );
  /** A sidecar that limits the work on a message to 2 s. */
  const hasty = await startAnother(t, api, { VOICE_TIMEOUT: '2000' }, transcription);
  const ann = await api.person();
  const { pcm } = await scene([0]);
  const speech = recorded(pcm, 'pcm16');
  const question = 'Where is the spare key of the cottage?';
  const form = (...files: Uint8Array[]): FormData => {
    const made = uploadForm({});
    for (const file of files) made.append('files', new Blob([Buffer.from(file)]), name);
    return made;
  };
  const send = (body: unknown = form(speech), credential = ann.token, on = api, headers = {}) => {
    asked = [];
    return on.call(path, { credential, method: 'POST', body, headers });
  };
  const stored = async (credential = ann.token) =>
    (await api.call('/v1/chat/messages', { credential })).body as { sender: string; text: string }[];
  await api.call(fromSegments, {
    credential: ann.key,
    body: {
      transcript_segments: [said('The spare key of the cottage hangs behind the water meter.')],
      started_at: '2024-01-10T10:00:00Z',
    },
  });
  /** Makes the transcriber return the question for the first utterance, and a single period for every other. */
  const asks = (): void => {
    answer = () => result('success', asked.length === 1 ? question : '.');
  };

  await t.test('transcribes speech into a message, and answers it', async (t) => {
    asks();
    const { status, headers, body } = await send();
    t.equal(status, 200);
    t.equal(headers.get('content-type'), 'text/event-stream');
    const events = eventsIn(body);
    t.strictSame(
      events.map((event) => event.name),
      ['message', 'data', 'done'],
    );
    const human = recordIn(events[0]!);
    t.ok(human.text.startsWith(question));
    t.match(recordIn(events[2]!), { sender: 'ai', text: /water meter/, ask_for_nps: false });
    t.match(await stored(), [
      { sender: 'ai', text: /water meter/ },
      { sender: 'human', text: human.text },
    ]);
  });

  await t.test('passes the words of the form and of the user', async (t) => {
    await api.sql`update users set custom_words = ${['Kubernetes']} where uid = ${ann.uid}`;
    asks();
    const made = form(speech);
    made.append('keywords', 'Okafor, Ada');
    t.equal((await send(made)).status, 200);
    t.strictSame(asked[0]!.keywords, ['Okafor', 'Ada', 'Kubernetes']);
  });

  await t.test('only the first of several files is the message', async (t) => {
    asks();
    await send();
    const utterances = asked.length;
    asks();
    await send(form(speech, speech));
    t.equal(asked.length, utterances);
  });

  await t.test(
    'a repeated message with the same key is transcribed, counted and answered once',
    async (t) => {
      const dora = await api.person();
      const again = (body: unknown = form(speech)) =>
        send(body, dora.token, api, { 'idempotency-key': 'morning' });
      const counted = async (): Promise<number> => {
        const rows = await api.sql<{ count: number }[]>`
        select coalesce(sum(used), 0)::integer as count from rate_windows
        where subject = ${dora.uid} and policy = 'voice:audio'`;
        return rows[0]!.count;
      };
      asks();
      const first = eventsIn((await again()).body).map(({ name, value }) => [name, value]);
      t.ok(asked.length > 0);
      const spoken = await counted();
      const second = eventsIn((await again()).body);
      t.equal(asked.length, 0, 'nothing is transcribed');
      t.equal(await counted(), spoken, 'the audio is not counted');
      t.strictSame([second[0]!.name, second[0]!.value], first[0]);
      t.equal(recordIn(second[2]!).text, recordIn({ name: '', value: first.at(-1)![1]! }).text);
      t.equal((await stored(dora.token)).length, 2);
      t.equal(
        (await again(form(recorded(pcm.subarray(0, 16_000), 'pcm16')))).status,
        409,
        'other audio with the same key',
      );
      t.equal((await send(form(speech), dora.token)).status, 200, 'the same audio without the key');
      t.equal((await stored(dora.token)).length, 4, 'it is another message');
    },
  );

  await t.test('a slow upload does not block a written message with the same key', async (t) => {
    const eve = await api.person();
    const headers = { 'idempotency-key': 'evening' };
    const whole = new Response(form(speech));
    const type = whole.headers.get('content-type')!;
    const bytes = Buffer.from(await whole.arrayBuffer());
    const spoken = request(api.base + path, {
      method: 'POST',
      headers: {
        ...headers,
        authorization: `Bearer ${eve.token}`,
        'content-type': type,
        'content-length': bytes.length,
      },
    });
    const status = new Promise<number | undefined>((resolve, reject) => {
      spoken.on('error', reject);
      spoken.on('response', (answered) => resolve(answered.resume().statusCode));
    });
    spoken.write(bytes.subarray(0, 1000));
    await until(async () => {
      const counted = await api.sql`
        select from rate_windows where subject = ${eve.uid} and policy = 'voice:message'`;
      return counted.length > 0;
    }, 'the upload has started');
    const written = await api.call('/v2/messages', {
      credential: eve.token,
      headers: { ...headers, accept: 'application/json' },
      body: { text: question },
    });
    t.equal(written.status, 200, 'answered before the upload is complete');
    spoken.end(bytes.subarray(1000));
    t.equal(await status, 409, 'the key belongs to the written message');
  });

  await t.test('silence is answered 200 without events', async (t) => {
    const before = (await stored()).length;
    const { status, body } = await send(silentUpload());
    t.strictSame([status, body, asked.length], [200, '', 0]);
    t.equal((await stored()).length, before);
  });

  await t.test('a failed transcription is the only event', async (t) => {
    const before = (await stored()).length;
    const secret = 'provider account 4711 was refused';
    for (const [answered, code] of [
      [result('success', ' '), 'stt_empty_unexpected'],
      [result('timeout', secret), 'stt_timeout'],
      [result('upstream_error', secret), 'stt_upstream_error'],
      [{ outcome: 'banana', text: secret } as unknown as Result, 'stt_upstream_error'],
      [result('config_error'), 'stt_provider_configuration_error'],
    ] as const) {
      answer = () => answered;
      const { status, body } = await send();
      t.equal(status, 200, code);
      const events = eventsIn(body);
      t.equal(events.length, 1, code);
      t.equal(events[0]!.name, 'error');
      t.strictSame(JSON.parse(events[0]!.value), failure(code), code);
    }
    answer = ({ signal }) =>
      new Promise((resolve) => signal!.addEventListener('abort', () => resolve(result('upstream_error'))));
    const late = eventsIn((await send(form(speech), ann.token, hasty)).body);
    t.strictSame(JSON.parse(late[0]!.value), failure('stt_timeout'), 'the time limit of a message');
    t.equal((await stored()).length, before, 'nothing is stored');
  });

  await t.test('a refusal before the first event has its own status', async (t) => {
    asks();
    /** Returns the expected body for invalid audio. */
    const odd = (why: string) => ({
      ...failure('stt_invalid_input', 'unknown'),
      message: `A recording is not valid: ${why}`,
    });
    const wav = uploadForm({ 'a.wav': new Uint8Array(1000) });
    /** Length in bytes of a frame of 20 ms of PCM with its length prefix of 4 bytes. */
    const lastFrame = 644;
    const german = form(speech);
    german.append('language', 'de');
    for (const [body, status, told] of [
      [wav, 400, odd('it is not a .bin file of frames')],
      [uploadForm({}), 400, odd('the form has no files')],
      [form(speech.subarray(0, -1)), 400, odd(`it ends within a frame at byte ${speech.length - lastFrame}`)],
      [german, 503, failure('stt_provider_configuration_error', 'unknown')],
    ] as const) {
      const answered = await send(body);
      t.strictSame([answered.status, answered.body], [status, told]);
      t.equal(asked.length, 0);
    }
    t.equal((await send(form(speech), ann.key)).status, 401);
    const ben = await api.person();
    await api.sql`
      insert into rate_windows (subject, policy, used, allowed, ends_at)
      values (${ben.uid}, 'voice:audio', 7200, 7200, now() + interval '1 hour')`;
    t.match(await send(form(speech), ben.token), { status: 429, body: { detail: /voice:audio/ } });
    await api.sql`update rate_windows set used = allowed where subject = ${ben.uid}`;
    t.match((await send(form(speech), ben.token)).body, { detail: /voice:message/ });
  });

  await t.test('a client that disconnects ends the work and frees its slot', async (t) => {
    const carl = await api.person();
    answer = ({ signal }) =>
      new Promise((resolve) => signal!.addEventListener('abort', () => resolve(result('upstream_error'))));
    asked = [];
    const leaving = new AbortController();
    const post = (signal: AbortSignal | null = null) =>
      fetch(api.base + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${carl.token}` },
        body: form(speech),
        signal,
      });
    const answers = await Promise.all([post(leaving.signal), post(leaving.signal)]);
    for (const { status } of answers) t.equal(status, 200, 'the status arrives before the transcript');
    await until(() => asked.length >= 2, 'both messages are being transcribed');
    const full = await post();
    t.equal(full.status, 429, 'at most two messages of a user');
    t.ok(Number(full.headers.get('retry-after')) > 0);
    leaving.abort();
    await until(() => asked.every(({ signal }) => signal!.aborted), 'the transcriptions are aborted');
    asks();
    asked = [];
    await until(async () => (await post()).status === 200, 'the slots are free');
    t.notOk(
      (await stored(carl.token)).some(({ text }) => text === ''),
      'no aborted message is stored',
    );
  });

  await t.test('counts each attempt once, by its outcome', async (t) => {
    const page = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
    const count = (outcome: string, provider: string): number =>
      Number(
        new RegExp(
          `cochlea_voice_messages_total\\{route="voice_chat_sse",outcome="${outcome}",provider="${provider}"\\} (\\d+)`,
        ).exec(page)?.[1] ?? 0,
      );
    t.equal(count('expected_silence', 'local'), 1);
    t.equal(count('empty_unexpected', 'local'), 1);
    t.equal(count('upstream_error', 'local'), 2);
    t.equal(count('timeout', 'local'), 1);
    t.equal(count('invalid_input', 'unknown'), 3);
    t.equal(count('config_error', 'unknown'), 1);
  });
});
