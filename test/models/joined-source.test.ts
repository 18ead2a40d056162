/** Tests files that a source gives in parts. Each part must have its exact size, and the joined file its hash. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import t from 'tap';
import { CochleaError } from '../../src/errors/cochlea-error.js';
import { ensureModel, type ModelOptions } from '../../src/models/ensure.js';
import { openJoined } from '../../src/models/joined-source.js';
import type { FilePart } from '../../src/models/manifest/index.js';
import { scratch, serve, toyModel } from './toy.js';

const content = randomBytes(300_000);
const cuts = [0, 100_000, 100_001, 300_000];
const parts = cuts.slice(1).map((end, index) => content.subarray(cuts[index], end));

/** Serves the parts at `/0`, `/1` and so on. @returns options of a model with one file that is joined from them. */
const prepare = async (t: Parameters<typeof serve>[0], served: readonly (Buffer | undefined)[]) => {
  const asked: string[] = [];
  const url = await serve(t, (request, answer) => {
    asked.push(request.url!);
    const part = served[Number(request.url!.slice(1))];
    if (part === undefined) answer.writeHead(404).end();
    // The server does not declare the length, so the client learns it only from the bytes.
    else answer.writeHead(200, { 'transfer-encoding': 'chunked' }).end(part);
  });
  const joined = parts.map(
    ({ length }, index): FilePart => ({ bytes: length, source: { kind: 'home', url: `${url}/${index}` } }),
  );
  const models = toyModel({ 'model.bin': { content, sources: [{ kind: 'joined', parts: joined }] } });
  const options: ModelOptions = { directory: scratch(t), models };
  return { asked, options };
};

t.test('the parts are joined in order', async (t) => {
  const { asked, options } = await prepare(t, parts);
  const told: number[] = [];
  const { files } = await ensureModel('toy', { ...options, progress: ({ received }) => told.push(received) });
  t.ok(readFileSync(files['model.bin']!).equals(content));
  t.strictSame(asked, ['/0', '/1', '/2']);
  t.strictSame(
    told,
    told.toSorted((a, b) => a - b),
    'progress only grows',
  );
  t.equal(told.at(-1), content.length);
});

const refusals: Record<string, { served: readonly (Buffer | undefined)[]; says: RegExp; asked: number }> = {
  'a missing part': { served: [parts[0], undefined, parts[2]], says: /part 2: status 404/, asked: 2 },
  'a part that is too short': {
    served: [parts[0]!.subarray(1), parts[1], parts[2]],
    says: /part 1: 99999 of 100000 bytes/,
    asked: 1,
  },
  'a part that is too long, even if the whole has the right size': {
    served: [content.subarray(0, 100_001), parts[1], parts[2]!.subarray(1)],
    says: /part 1: more than 100000 bytes/,
    asked: 1,
  },
  'a part with other bytes': {
    served: [parts[0], Buffer.from([parts[1]![0]! ^ 1]), randomBytes(199_999)],
    says: /wrong SHA-256/,
    asked: 3,
  },
};

for (const [name, { served, says, asked }] of Object.entries(refusals)) {
  t.test(`${name} is refused`, async (t) => {
    const made = await prepare(t, served);
    await t.rejects(ensureModel('toy', made.options), { code: 'model_missing', details: { sources: says } });
    t.equal(made.asked.length, asked);
    t.strictSame(readdirSync(join(made.options.directory, 'toy')), [], 'no remains');
  });
}

t.test('without a network, a file is joined only from parts of this machine', async (t) => {
  const { asked, options } = await prepare(t, parts);
  await t.rejects(ensureModel('toy', { ...options, localOnly: true }), {
    code: 'model_missing',
    details: { sources: 'none' },
  });
  t.strictSame(asked, []);
});

t.test('a part is opened after the parts before it, and little is read in advance', async (t) => {
  const size = 1 << 20;
  let given = 0;
  const opened: number[] = [];
  const stream = openJoined(
    [1, 2, 3].map((): FilePart => ({ bytes: 50 * size, source: { kind: 'shipped', path: 'x' } })),
    async () => {
      opened.push(given);
      return Readable.from(
        (function* () {
          for (let count = 0; count < 50; count++) {
            given += size;
            yield Buffer.alloc(size);
          }
        })(),
      );
    },
  );
  let taken = 0;
  let ahead = 0;
  for await (const piece of stream) {
    taken += (piece as Buffer).length;
    ahead = Math.max(ahead, given - taken);
  }
  t.equal(taken, 150 * size);
  t.strictSame(opened, [0, 50 * size, 100 * size]);
  t.ok(ahead <= 20 * size, `${ahead / size} MiB in memory`);
});

t.test('a part whose reader goes away is closed, and an error of the registry passes', async (t) => {
  const source = Readable.from([Buffer.alloc(10), Buffer.alloc(10)]);
  const part: FilePart = { bytes: 20, source: { kind: 'shipped', path: 'x' } };
  const stream = openJoined([part, part], async () => source);
  for await (const _ of stream) break;
  t.ok(source.destroyed);
  const full = new CochleaError('disk_full', { path: '/models' });
  const failing = openJoined([part, part], async () => {
    throw full;
  });
  await t.rejects(failing.toArray(), full);
});
