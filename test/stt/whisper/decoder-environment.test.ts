/** Tests that a decoder process sends no usage data: onnxruntime receives the variable that disables its telemetry. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startChild } from '../../../src/stt/whisper/decoder-child.js';
import { openFolder } from '../../support/folder.js';

t.test('disables telemetry and passes no secret', async (t) => {
  const module = join(openFolder(t), 'child.cjs');
  writeFileSync(module, 'process.send(process.env); process.on("disconnect", () => process.exit());');
  const before = process.env;
  process.env = { ...before, ORT_DISABLE_TELEMETRY: '0', DATABASE_URL: 'secret' };
  t.teardown(() => {
    process.env = before;
  });
  const environment = await new Promise<unknown>((resolve) => {
    const child = startChild(module, { answered: (answer) => resolve(answer), exited: () => undefined });
    t.teardown(() => child.close());
  });
  t.match(environment, { ORT_DISABLE_TELEMETRY: '1' });
  t.notOk('DATABASE_URL' in (environment as object));
});
