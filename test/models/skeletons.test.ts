/** The committed graph skeletons equal their generator's output, and its tables match the weight files. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { dataDirectory, packageDirectory } from '../../src/config/process/data-dir.js';
import { ensureModel, modelOptions } from '../../src/models/ensure.js';
import { scratch } from './toy.js';

const settings = loadSettings().values;
const graphs = join(packageDirectory(), 'src', 'models', 'graphs');
const generator = join(graphs, 'generate');
const requirements = join(generator, 'requirements.txt');

const run = (command: string, ...parameters: string[]): { ok: boolean; said: string } => {
  const { status, stderr, error } = spawnSync(command, parameters, {
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  return { ok: status === 0, said: error ? error.message : (stderr.trim().split('\n').at(-1) ?? '') };
};

/** Makes a Python with the generator's packages, once per version. @returns its path, or why it is missing. */
const python = (): { path: string } | { missing: string } => {
  const version = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const place = join(dataDirectory(settings), `graphs-python-${version}`);
  const path = join(place, 'bin', 'python');
  const complete = join(place, 'complete');
  if (existsSync(complete)) return { path };
  rmSync(place, { recursive: true, force: true });
  const made = run('python3', '-m', 'venv', place);
  if (!made.ok) return { missing: `no Python environment: ${made.said}` };
  const installed = run(
    path,
    '-m',
    'pip',
    'install',
    '--quiet',
    '--timeout',
    '15',
    '--retries',
    '1',
    '-r',
    requirements,
  );
  if (!installed.ok) return { missing: `no onnx package: ${installed.said}` };
  // The marker is written last, so that an interrupted installation is repeated.
  writeFileSync(complete, '');
  return { path };
};

const found = python();
const skip = 'missing' in found ? found.missing : false;
const interpreter = 'path' in found ? found.path : '';

t.test('the generator reproduces the committed skeletons', { skip }, async (t) => {
  const out = scratch(t);
  const made = run(interpreter, generator, out);
  t.ok(made.ok, made.said || 'it ran');
  const committed = readdirSync(graphs).filter((name) => name.endsWith('.onnx'));
  t.strictSame(readdirSync(out).sort(), committed.sort());
  for (const name of committed) {
    t.ok(readFileSync(join(out, name)).equals(readFileSync(join(graphs, name))), `${name} is byte-identical`);
  }
});

t.test("reads the table of Whisper's weights from the weights", { skip }, async (t) => {
  const { files } = await ensureModel('whisper-tiny.en', modelOptions(settings));
  const out = scratch(t);
  const made = run(interpreter, generator, '--layouts', out, `whisper=${files['model.bin']}`);
  t.ok(made.ok, made.said || 'it ran');
  const table = readFileSync(join(out, 'whisper.tsv'), 'utf8');
  t.equal(table, readFileSync(join(generator, 'layouts', 'whisper.tsv'), 'utf8'));
});
