/** Tests with HAProxy run with a version that is new enough, and otherwise name the reason. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openFolder } from '../../support/folder.js';
import { findHaproxy } from '../../support/servers/find-haproxy.js';

const cases: readonly [printed: string, reason: RegExp | undefined][] = [
  ['HAProxy version 2.6.12-1+deb12u4 2026/10/17 - https://haproxy.org/', undefined],
  ['HAProxy version 3.0.5 2024/09/19', undefined],
  ['HAProxy version 2.4.22 2023/02/14', /is 2\.4, and 2\.6 or newer is needed/],
  ['something else', /cannot be run/],
];

t.test('HAProxy is used from 2.6 on', async (t) => {
  const folder = openFolder(t);
  for (const [index, [printed, reason]] of cases.entries()) {
    const program = join(folder, `haproxy-${index}`);
    writeFileSync(program, `#!/bin/sh\necho '${printed}'\n`);
    chmodSync(program, 0o755);
    const found = findHaproxy(program);
    if (reason === undefined) t.same(found, { program }, printed);
    else t.match(found, { missing: reason }, printed);
  }
});

t.test('a program that does not exist is named', async (t) => {
  t.match(findHaproxy('/nowhere/haproxy'), { missing: /\/nowhere\/haproxy cannot be run/ });
});
