/** Compares the thresholds in `docs/models.md` with the manifest. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { findModel } from '../../src/models/directory.js';

const page = readFileSync(join(packageDirectory(), 'docs', 'models.md'), 'utf8');
/** One model for each column of the table. All large models have the same thresholds, so one of them is enough. */
const columns = ['whisper-tiny.en', 'whisper-base', 'whisper-small'];

t.test('the thresholds of text without speech are those of the manifest', async (t) => {
  const rows = new Map(
    [...page.matchAll(/^\| `(\w+)`: [^|]*\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)].map(
      ([, name, ...cells]) => [name, cells.map((cell) => cell.trim())] as const,
    ),
  );
  for (const [index, model] of columns.entries()) {
    const { clear, faint, long, repeated, ...others } = findModel(model).recogniser!.invented;
    for (const [name, value] of Object.entries(others))
      t.equal(rows.get(name)?.[index], `${value}`, `${name} of ${model}`);
    const used = (told: string): string => told || 'not used';
    t.equal(rows.get('repeated')?.[index], used(`${repeated ?? ''}`), `repeated of ${model}`);
    const told = faint.map(({ detected, silence, likelihood }) => [detected, silence, likelihood].join(', '));
    t.equal(rows.get('faint')?.[index], used(told.join('; ')), `faint of ${model}`);
    const { characters: most, silence: least, likelihood: needed } = long ?? {};
    const limits = long === null ? '' : [most, least, needed].join(', ');
    t.equal(rows.get('long')?.[index], used(limits), `long of ${model}`);
    const { detected, characters, likelihood, silence } = clear ?? {};
    const numbers = clear === null ? '' : [detected, characters, likelihood, silence].join(', ');
    t.equal(rows.get('clear')?.[index], used(numbers), `clear of ${model}`);
  }
});
