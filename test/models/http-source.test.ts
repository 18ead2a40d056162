/** Downloads from a misbehaving mirror. The next source is tried, and only correct bytes are ever installed. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import t from 'tap';
import { CochleaError } from '../../src/errors/cochlea-error.js';
import { ensureModel, type ModelOptions, type ModelProgress } from '../../src/models/ensure.js';
import { scratch, serve, toyModel } from './toy.js';

const content = randomBytes(200_000);
const other = randomBytes(content.length);
/** Timeouts in ms. They are short because two faults last that long, but longer than a busy machine takes to answer. */
const quick = { connectTimeout: 1000, idleTimeout: 1000 };

type Fault = (answer: ServerResponse, request: IncomingMessage) => void;

const faults: Record<string, { fault: Fault; says: RegExp }> = {
  'other bytes of the same size': { fault: (answer) => answer.end(other), says: /wrong SHA-256/ },
  'a shorter file': { fault: (answer) => answer.end(content.subarray(1)), says: /instead of 200000/ },
  'a longer file of unknown length': {
    fault: (answer) => {
      answer.write(content);
      answer.end('more');
    },
    says: /more than 200000 bytes/,
  },
  'a shorter file of unknown length': {
    fault: (answer) => {
      answer.write(content.subarray(0, 1000));
      answer.end();
    },
    says: /1000 of 200000 bytes/,
  },
  'a connection cut in the middle': {
    fault: (answer, request) => {
      answer.writeHead(200, { 'content-length': content.length });
      answer.write(content.subarray(0, 100_000), () => request.socket.destroy());
    },
    says: /\(.+\)/,
  },
  'not found': { fault: (answer) => answer.writeHead(404).end('no'), says: /status 404/ },
  'a server error': { fault: (answer) => answer.writeHead(500).end(content), says: /status 500/ },
  'no answer at all': { fault: () => {}, says: /no answer/ },
  'silence in the middle': {
    fault: (answer) => {
      answer.writeHead(200, { 'content-length': content.length });
      answer.write(content.subarray(0, 1000));
    },
    says: /stopped sending/,
  },
};

for (const [name, { fault, says }] of Object.entries(faults)) {
  t.test(`uses the next source when the mirror sends ${name}`, async (t) => {
    const mirror = await serve(t, (request, answer) => fault(answer, request));
    const home = await serve(t, (_, answer) => answer.end(content));
    const directory = scratch(t);
    const passed: string[] = [];
    const options = (url: string): ModelOptions => ({
      directory,
      mirror,
      http: quick,
      passedOver: (line) => passed.push(line),
      models: toyModel({ 'weights.bin': { content, sources: [{ kind: 'home', url }] } }),
    });

    const refused = await ensureModel('toy', options(`${mirror}/again`)).catch((error: unknown) => error);
    t.ok(refused instanceof CochleaError, 'nothing else to try');
    t.match(refused, { code: 'model_missing', details: { file: 'weights.bin', bytes: content.length } });
    t.match((refused as CochleaError).line, directory, 'the line names the folder');
    t.match((refused as CochleaError).line, `${mirror}/toy/weights.bin`, 'and the sources');
    t.strictSame(readdirSync(join(directory, 'toy')), [], 'no remains');

    const { files } = await ensureModel('toy', options(`${home}/weights.bin`));
    t.ok(readFileSync(files['weights.bin']!).equals(content), 'the next source gave it');
    t.strictSame(readdirSync(join(directory, 'toy')).sort(), ['.verified.json', 'weights.bin']);
    t.match(passed.at(-1), says, 'the reason is told');
  });
}

t.test('skips an address where nothing listens', async (t) => {
  const home = await serve(t, (_, answer) => answer.end(content));
  const { files } = await ensureModel('toy', {
    directory: scratch(t),
    mirror: 'http://127.0.0.1:1',
    models: toyModel({ w: { content, sources: [{ kind: 'home', url: `${home}/w` }] } }),
  });
  t.ok(readFileSync(files.w!).equals(content));
});

t.test('fetches an existing file only once, and reports progress', async (t) => {
  let requests = 0;
  const home = await serve(t, (_, answer) => {
    requests++;
    answer.end(content);
  });
  const told: ModelProgress[] = [];
  const options: ModelOptions = {
    directory: scratch(t),
    progress: (progress) => told.push(progress),
    models: toyModel({ w: { content, sources: [{ kind: 'home', url: `${home}/w` }] } }),
  };
  await ensureModel('toy', options);
  await ensureModel('toy', options);
  t.equal(requests, 1);
  const received = told.map((progress) => progress.received);
  t.strictSame(
    received,
    received.toSorted((a, b) => a - b),
    'only grows',
  );
  t.match(told.at(-1), {
    model: 'toy',
    file: 'w',
    received: content.length,
    total: content.length,
    done: true,
  });
});

t.test('asks a server that does not answer once, not for every file', async (t) => {
  const asked: string[] = [];
  const mirror = await serve(t, (request) => void asked.push(request.url!));
  const home = await serve(t, (_, answer) => answer.end(content));
  const file = { content, sources: [{ kind: 'home' as const, url: home }] };
  await ensureModel('toy', {
    directory: scratch(t),
    mirror,
    http: quick,
    models: toyModel({ a: file, b: file }),
  });
  t.strictSame(asked, ['/toy/a']);
});
