/** Compares the thresholds in `docs/models.md` with the manifest. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { findModel } from '../../src/models/directory.js';

const page = readFileSync(join(packageDirectory(), 'docs', 'models.md'), 'utf8');
/** A model of each column of the table; the large models share their thresholds. */
const columns = ['whisper-tiny.en', 'whisper-base', 'whisper-small'];

t.test('the thresholds of text without speech are those of the manifest', async (t) => {
  const rows = new Map(
    [...page.matchAll(/^\| `(\w+)`: [^|]*\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)].map(
      ([, name, ...cells]) => [name, cells.map((cell) => cell.trim())] as const,
    ),
  );
  for (const [index, model] of columns.entries()) {
    const { faint, ...others } = findModel(model).recogniser!.invented;
    for (const [name, value] of Object.entries(others))
      t.equal(rows.get(name)?.[index], `${value}`, `${name} of ${model}`);
    const told = faint === null ? 'not used' : `${faint.detected}, ${faint.silence}, ${faint.likelihood}`;
    t.equal(rows.get('faint')?.[index], told, `faint of ${model}`);
  }
});
