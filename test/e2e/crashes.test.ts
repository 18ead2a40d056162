/** Killed processes restart, and no sent data is lost or duplicated. */
import t from 'tap';
import { wordError } from '../../src/app/sample/word-error.js';
import { encodeFrames } from '../../src/app/wearable/encode.js';
import type { Wearable } from '../../src/app/wearable/wearable.js';
import type { LiveSegment } from '../../src/wire/segment.js';
import { metric, readBack, startService } from '../support/service.js';
import { scene } from '../support/texts/speech.js';
import { until } from '../support/until.js';

const conversationOf = async (wearable: Wearable): Promise<string> => {
  const event = await wearable.waitFor(({ type }) => type === 'conversation_session', 60_000);
  return String(event?.conversation_id);
};

const ready = (wearable: Wearable): Promise<unknown> =>
  wearable.waitFor((event) => event.status === 'ready', 60_000);

/** Returns duplicate ids, and duplicate texts of complete segments. */
const doubled = (segments: readonly { id: string; text: string }[]): string[] => {
  const seen = new Set<string>();
  return segments.flatMap(({ id, text }) => {
    const twice = seen.has(id) || seen.has(text);
    seen.add(id).add(text);
    return twice ? [text] : [];
  });
};

t.test('processes are killed in the middle of a stream', { timeout: 300_000 }, async (t) => {
  const service = await startService(t);

  await t.test(
    'after kill -9 of the engine, the conversation continues and all words are stored once',
    async (t) => {
      const user = await service.user('engine-kill');
      const key = await service.developerKey(user.uid);
      const first = await scene([0, 1]);
      const wearable = await service.wearable(user, { conversationTimeout: 120 });
      await ready(wearable);
      const id = await conversationOf(wearable);
      await wearable.send(encodeFrames(first, 'opus', 16_000), 1);
      await until(() => wearable.transcript.segments.length > 0, 'a segment came');
      const sent: LiveSegment[] = [...wearable.transcript.segments];
      const [engine] = service.processes('cochlea.js engine');
      process.kill(engine!, 'SIGKILL');
      t.equal((await wearable.closed).code, 1006);

      const again = await until(
        () => service.wearable(user, { conversationTimeout: 120 }).catch(() => undefined),
        'the engine is back',
        60_000,
      );
      t.equal(await conversationOf(again), id, 'the same conversation goes on');
      await ready(again);
      const second = await scene([3]);
      await again.send(encodeFrames(second, 'opus', 16_000), 1);
      await until(() => /amiable/i.test(again.transcript.text), 'speech after the crash is heard');
      await again.close();

      const stored = (await readBack(service, key, id)).transcript_segments;
      t.same(doubled(stored), [], 'nothing is stored twice');
      for (const segment of sent) {
        t.ok(
          stored.some(({ text }) => text.includes(segment.text)),
          'a segment sent before the crash is there',
        );
      }
      // The last words may have been provisional. Their final text is stored after the client has left.
      for (const segment of again.transcript.segments) {
        t.ok(
          stored.some((row) => row.id === segment.id),
          'a segment sent after the crash is there',
        );
      }
      t.match(stored.map(({ text }) => text).join(' '), /amiable/i, 'with its words');
    },
  );

  await t.test('PostgreSQL is killed and stays away: no sent segment is lost or doubled', async (t) => {
    const user = await service.user('database-kill');
    const key = await service.developerKey(user.uid);
    const long = await scene([0, 1, 2, 3, 4]);
    const wearable = await service.wearable(user, { conversationTimeout: 20 });
    await ready(wearable);
    const id = await conversationOf(wearable);
    const outage = (async () => {
      await until(() => wearable.arrivals.length > 0, 'segments arrive');
      // Stops the supervisor process, because it would restart the database at once.
      process.kill(service.pid, 'SIGSTOP');
      const servers = service.processes('bin/postgres');
      for (const server of servers) process.kill(server, 'SIGKILL');
      const before = wearable.arrivals.length;
      await until(() => wearable.arrivals.length > before + 1, 'segments go on arriving');
      await until(async () => (await metric(service, 'journal_spill_depth')) > 0, 'they wait in the spill');
      process.kill(service.pid, 'SIGCONT');
      return servers.length;
    })();
    await wearable.send(encodeFrames(long, 'opus', 16_000), 1);
    t.ok((await outage) > 0, 'the database was killed');
    const created = await wearable.waitFor(({ type }) => type === 'memory_created', 90_000);
    t.equal(
      (created?.memory as { id: string } | undefined)?.id,
      id,
      'the conversation was saved under its id',
    );
    const stored = (await readBack(service, key, id)).transcript_segments;
    t.same(
      stored.map(({ id: segment, text }) => ({ id: segment, text })),
      wearable.transcript.segments.map(({ id: segment, text }) => ({ id: segment, text })),
      'stored is exactly what was sent',
    );
    const { rate } = wordError(long.text, stored.map(({ text }) => text).join(' '));
    t.ok(rate <= 0.1, `word error ${rate.toFixed(3)}`);
    await wearable.close();
  });

  await t.test(
    'after kill -9 of the transcription service or its decoders, the utterances still arrive',
    async (t) => {
      const user = await service.user('transcriber-kill');
      const speech = await scene([0, 3]);
      const wearable = await service.wearable(user);
      await ready(wearable);
      const killAfterNextUtterance = async (words: string): Promise<number> => {
        const cut = await metric(service, 'utterances_total');
        // From this moment, the utterance is on its way to the processes that are killed, or these processes handle it.
        await until(async () => (await metric(service, 'utterances_total')) > cut, 'an utterance has ended');
        const processes = service.processes(words);
        for (const pid of processes) process.kill(pid, 'SIGKILL');
        return processes.length;
      };
      const killer = (async () => [
        await killAfterNextUtterance('cochlea.js transcriber'),
        await killAfterNextUtterance('decoder-process'),
      ])();
      await wearable.send(encodeFrames(speech, 'opus', 16_000), 1);
      const [services, decoders] = await killer;
      t.equal(services, 1, 'the service was killed');
      t.ok(decoders! >= 1, 'and all of its decoders');
      await until(() => /amiable/i.test(wearable.transcript.text), 'the last utterance arrives', 60_000);
      const { rate } = wordError(speech.text, wearable.transcript.text);
      t.ok(rate <= 0.1, `no word is lost: word error ${rate.toFixed(3)}`);
      await wearable.close();
    },
  );
});
