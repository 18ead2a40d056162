/** Tests with NATS run against a server that is new enough, and otherwise name the reason. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openFolder } from '../support/folder.js';
import { findNats } from '../support/servers/find-nats.js';

const cases: readonly [printed: string, reason: RegExp | undefined][] = [
  ['nats-server: v2.12.0', undefined],
  ['nats-server: v2.15.1', undefined],
  ['nats-server: v3.0.0', undefined],
  ['nats-server: v2.9.10', /is 2\.9, and 2\.12 or newer is needed/],
  ['something else', /cannot be run/],
];

t.test('a server is used from 2.12 on', async (t) => {
  const folder = openFolder(t);
  for (const [index, [printed, reason]] of cases.entries()) {
    const program = join(folder, `nats-server-${index}`);
    writeFileSync(program, `#!/bin/sh\necho '${printed}'\n`);
    chmodSync(program, 0o755);
    const found = findNats(program);
    if (reason === undefined) t.same(found, { program }, printed);
    else t.match(found, { missing: reason }, printed);
  }
});

t.test('a program that does not exist is named', async (t) => {
  t.match(findNats('/nowhere/nats-server'), { missing: /\/nowhere\/nats-server cannot be run/ });
});
