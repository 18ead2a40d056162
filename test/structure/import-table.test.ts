/** Compares the import table of docs/modules/README.md with every import of `src`. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import ts from 'typescript';
import { commonParts as common } from './modules/arrows.js';

const checkout = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const source = join(checkout, 'src');

const mayImport: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  log: [],
  config: [],
  metrics: [],
  wire: [],
  common: [],
  ring: [],
  audio: ['ring', 'models'],
  models: [],
  identity: ['store'],
  front: ['ring', 'identity'],
  engine: ['ring', 'audio', 'transcript', 'stt', 'photos', 'journal', 'models'],
  photos: ['stt'],
  transcript: [],
  stt: ['audio', 'models'],
  journal: ['store'],
  store: [],
  bus: [],
  llm: [],
  translation: ['transcript', 'store', 'llm', 'service'],
  service: ['store', 'audio', 'models', 'stt', 'photos', 'identity', 'llm'],
  pipeline: ['service', 'store', 'audio', 'transcript', 'stt', 'photos', 'models', 'llm'],
  issuer: ['identity', 'store'],
  sidecar: ['service', 'identity', 'issuer', 'pipeline', 'store', 'photos', 'llm', 'audio', 'console'],
  client: [],
  cli: ['client'],
  console: [],
};

const sourceFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|mjs)$/.test(file))
    .map((file) => join(folder, file));

const moduleOf = (file: string): string => relative(source, file).split(sep)[0]!;

/** Returns the relative imports of a file, as absolute paths with the extension `.js`. */
const innerImports = (file: string): string[] =>
  ts
    .preProcessFile(readFileSync(file, 'utf8'), true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => normalize(join(dirname(file), name)));

t.test('no part imports a part that the table does not list for it', async (t) => {
  const offences: string[] = [];
  let checked = 0;
  for (const file of sourceFiles(source)) {
    const module = moduleOf(file);
    if (module === 'app') continue;
    const allowed = new Set([
      module,
      ...(common.includes(module) ? common : [...common, ...(mayImport[module] ?? [])]),
    ]);
    for (const target of innerImports(file)) {
      checked++;
      if (!target.startsWith(source + sep))
        offences.push(`${relative(checkout, file)} leaves src: ${relative(checkout, target)}`);
      else if (!allowed.has(moduleOf(target)))
        offences.push(`${relative(checkout, file)} -> ${relative(checkout, target)}`);
    }
  }
  t.ok(checked > 100, 'imports are found');
  t.same(offences, []);
});

/** Files of the engine in the order of their calls. A file may import only files after it. */
const callOrder = [
  'shard/shard',
  'shard/ring-reader',
  'shard/session-events',
  'shard/sessions',
  'session/connection-session',
  'session/context',
  'session/client-texts',
  'session/client-words',
  'conversation/conversations',
  'conversation/conversation',
  'session/track',
  'transcription/transcription',
  'transcription/provider-link',
];

t.test('in the engine, no file imports a file that calls it', async (t) => {
  const offences: string[] = [];
  let imports = 0;
  for (const [place, name] of callOrder.entries()) {
    for (const target of innerImports(join(source, 'engine', `${name}.ts`))) {
      const found = callOrder.indexOf(relative(join(source, 'engine'), target).replace(/\.js$/, ''));
      if (found < 0) continue;
      imports++;
      if (found <= place) offences.push(`${name} -> ${callOrder[found]}`);
    }
  }
  t.ok(imports > 10, `${imports} imports`);
  t.same(offences, []);
});

t.test('every part of src is in the table', async (t) => {
  const modules = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  t.same(
    modules.map(({ name }) => name).filter((name) => name !== 'app' && !(name in mayImport)),
    [],
  );
});

t.test('docs/modules/README.md shows the same table', async (t) => {
  const page = readFileSync(join(checkout, 'docs', 'modules', 'README.md'), 'utf8');
  for (const [module, imports] of Object.entries(mayImport)) {
    if (common.includes(module)) continue;
    const row = page.split('\n').find((line) => line.startsWith(`| [\`src/${module}\`](${module}.md) |`));
    if (!row) {
      t.notOk(
        sourceFiles(source).some((file) => moduleOf(file) === module),
        `${module} has no row, so it must have no file`,
      );
      continue;
    }
    const shown = row.split('|').at(-2)!.trim();
    t.equal(shown, imports.length === 0 ? '-' : imports.join(', '), `row of src/${module}`);
  }
});
