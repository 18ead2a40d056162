/**
 * Records the demo for the README, in a checkout that `npm run setup` has made ready.
 *   node docs/recording/record.mjs          runs the demo (45 s), writes demo.json and demo.svg
 *   node docs/recording/record.mjs --draw   draws demo.svg from demo.json
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { draw } from './draw.mjs';

const command = 'npm run -s demo -- --once';
/** What that command starts when set-up has nothing to do. */
const words = ['dist/src/app/cochlea.js', 'demo', '--once'];
const checkout = fileURLToPath(new URL('../../', import.meta.url));
const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Runs the demo. Resolves with the lines of its standard output and when each came. @throws Error when it fails */
const record = async () => {
  const start = performance.now();
  const child = spawn(process.execPath, words, { cwd: checkout, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  const lines = [];
  for await (const text of createInterface({ input: child.stdout }))
    lines.push({ at: Math.round(performance.now() - start), text });
  const code = await ended;
  if (code !== 0) throw new Error(`The demo ended with exit code ${code}.`);
  return { command, lines };
};

if (!process.argv.includes('--draw')) {
  const { lines } = await record();
  const rows = lines.map((line) => `    ${JSON.stringify(line)}`).join(',\n');
  writeFileSync(pathOf('demo.json'), `{\n  "command": ${JSON.stringify(command)},\n  "lines": [\n${rows}\n  ]\n}\n`);
}
writeFileSync(pathOf('demo.svg'), draw(JSON.parse(readFileSync(pathOf('demo.json'), 'utf8'))));
