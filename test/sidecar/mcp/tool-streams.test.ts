/**
 * Tests how streams of the older transport end: by age, invalid credential, missing row, a client that does not read,
 * or a closing sidecar.
 */
import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import { createUser } from '../../../src/identity/users.js';
import { createLogger } from '../../../src/log/logger.js';
import type { AnswerMessage } from '../../../src/sidecar/mcp/streams/tool-stream.js';
import { ToolStreams } from '../../../src/sidecar/mcp/streams/tool-streams.js';
import { FairTurns } from '../../../src/sidecar/turns/fair-turns.js';
import { testDatabase } from '../../support/database/database.js';
import { until } from '../../support/until.js';

const { toolStreamBacklog, toolSessionAge } = fixedLimits;

/** A fake response. Tests set `writableLength`, the number of bytes that the client has not read. */
class FakeResponse extends EventEmitter {
  writableLength = 0;
  writableEnded = false;
  destroyed = false;
  text = '';
  writeHead(): void {}
  write(text: string): void {
    this.text += text;
  }
  end(): void {
    this.writableEnded = true;
    this.emit('close');
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

t.test('streams of the older transport', async (t) => {
  const { sql } = await testDatabase(t);
  const { uid } = await createUser(sql, { uid: 'ann' });
  /** Checks a credential and returns its user. Tests replace the check. */
  let look: () => Promise<string> = async () => uid;
  let looked: string[] = [];
  const minute = 60_000;
  let now = minute;
  const pass = async (milliseconds: number) => {
    now += milliseconds;
    await streams.check();
  };
  const streams = new ToolStreams({
    settings: { maxToolStreams: 100, maxToolStreamsPerUser: 100, maxToolStreamsPerAddress: 100 },
    sql,
    log: createLogger('test', 'silent') as never,
    turns: new FairTurns(4),
    clock: () => now,
    userOf: (authorization) => {
      looked.push(authorization);
      return look();
    },
  });
  t.teardown(() => streams.close());
  const client = { address: '192.0.2.1', group: '192.0.2.1', trusted: false, exempt: false };
  const answerIt: AnswerMessage = async (stream, { message }) => streams.send(stream, message);
  const open = async (authorization = 'Bearer one', user = uid, answer = answerIt) => {
    const raw = new FakeResponse();
    const reply = { raw, sent: false, hijack: () => reply, headers: () => reply, getHeaders: () => ({}) };
    await streams.open({
      uid: user,
      client,
      path: '/v1/mcp/sse',
      request: { headers: { authorization } } as FastifyRequest,
      reply: reply as unknown as FastifyReply,
      answer,
    });
    const id = /sessionId=([\w-]+)/.exec(raw.text)![1]!;
    return { raw, id, stream: () => streams.find(user, id) };
  };
  const stored = async (): Promise<number> =>
    (await sql<{ count: number }[]>`select count(*)::integer as count from tool_streams`)[0]!.count;

  t.test('sends comments on a silent stream', async (t) => {
    const one = await open();
    await pass(minute);
    t.ok(one.raw.text.endsWith(': keep-alive\n\n'));
    t.ok(one.stream());
    one.raw.destroy();
    t.equal(one.stream(), undefined);
  });

  t.test('an invalid credential ends its stream, but a failed check does not', async (t) => {
    const one = await open();
    look = async () => {
      throw new CochleaError('database_unavailable');
    };
    await pass(minute);
    t.ok(one.stream());
    one.stream()!.authorization = 'Bearer newer';
    looked = [];
    await pass(minute / 2);
    t.same(looked, [], 'checks the credential once a minute');
    look = async () => {
      throw new CochleaError('assistant_invalid', { challenge: 'x' });
    };
    await pass(minute / 2);
    t.same(looked, ['Bearer newer'], 'checks the latest credential');
    t.ok(one.raw.writableEnded);
    const other = await open();
    look = async () => 'another user';
    await pass(minute);
    t.ok(other.raw.writableEnded);
    look = async () => uid;
  });

  t.test('a stream ends when its row is deleted, as for a deleted account', async (t) => {
    const [one, other] = [await open(), await open()];
    await sql`delete from tool_streams where id = ${one.id}`;
    await pass(minute);
    t.ok(one.raw.writableEnded);
    t.ok(other.stream());
    other.raw.destroy();
  });

  t.test('a stream ends at its maximum age', async (t) => {
    const one = await open();
    await pass(toolSessionAge.value - 1);
    t.ok(one.stream());
    await pass(1);
    t.ok(one.raw.writableEnded);
  });

  t.test('closes the stream of a client that does not read', async (t) => {
    const one = await open();
    one.raw.writableLength = toolStreamBacklog.value;
    streams.send(one.stream()!, '{}');
    t.ok(one.raw.text.endsWith('event: message\ndata: {}\n\n'));
    one.raw.writableLength++;
    streams.send(one.stream()!, '{}');
    t.ok(one.raw.destroyed);
    const many = await Promise.all(Array.from({ length: 34 }, () => open()));
    for (const { raw } of many) raw.writableLength = toolStreamBacklog.value;
    many[0]!.raw.writableLength = 0;
    streams.send(many[0]!.stream()!, '{}');
    t.ok(many[0]!.stream(), 'a client that reads keeps its stream when all streams exceed the common bound');
    streams.send(many[1]!.stream()!, '{}');
    t.ok(many[1]!.raw.destroyed);
    for (const { raw } of many) raw.destroy();
  });

  t.test('a sidecar that missed a notification takes the stored messages at its next renewal', async (t) => {
    const one = await open();
    await streams.pass(uid, { stream: one.id, scopes: [], revision: null, message: '{"n":1}' });
    streams.told('another sidecar');
    t.notOk(one.raw.text.includes('"n"'));
    await pass(minute);
    t.ok(one.raw.text.includes('data: {"n":1}'));
    one.raw.destroy();
    const other = await open();
    await streams.pass(uid, { stream: other.id, scopes: [], revision: null, message: '{"n":2}' });
    await streams.take();
    t.ok(other.raw.text.endsWith('event: message\ndata: {"n":2}\n\n'));
    other.raw.destroy();
  });

  t.test('a slow answer delays no other user, and a failed answer loses no other message', async (t) => {
    const { uid: bob } = await createUser(sql, { uid: 'bob' });
    const send = (id: string, n: number, by = uid) =>
      streams.pass(by, { stream: id, scopes: [], revision: null, message: `{"n":${n}}` });
    let goOn = () => {};
    const slow = await open('Bearer one', uid, async (stream, message) => {
      if (message.message.includes('0')) await new Promise<void>((done) => (goOn = done));
      else await answerIt(stream, message);
    });
    const failing = await open('Bearer one', uid, async (stream, message) => {
      if (message.message.includes('2')) throw new Error('cannot be answered');
      await answerIt(stream, message);
    });
    const other = await open('Bearer bob', bob);
    await send(slow.id, 0);
    await send(slow.id, 1);
    for (const n of [2, 3]) await send(failing.id, n);
    await streams.take();
    await send(other.id, 4, bob);
    void streams.take();
    await until(() => other.raw.text.includes('{"n":4}'), 'another user has its answer');
    t.notOk(slow.raw.text.includes('{"n":1}'), 'messages of a user keep their order');
    await pass(minute);
    t.ok(slow.stream(), 'streams are renewed during a slow answer');
    goOn();
    await until(() => failing.raw.text.includes('{"n":3}'), 'the message after a failure is answered');
    t.ok(slow.raw.text.endsWith('data: {"n":1}\n\n'));
    for (const { raw } of [slow, failing, other]) raw.destroy();
  });

  t.test('closing the sidecar ends all streams and refuses new ones', async (t) => {
    const one = await open();
    await streams.close();
    t.ok(one.raw.writableEnded);
    // Streams of earlier tests are removed in the background, so the test waits for the removal.
    await until(async () => (await stored()) === 0, 'no stream is stored');
    await t.rejects(open(), { code: 'draining' });
    await t.rejects(streams.pass(uid, { stream: one.id, scopes: [], revision: null, message: '{}' }), {
      code: 'session_unknown',
    });
  });
});
