/**
 * Tests that `cochlea up` starts its processes, replaces killed ones, and stops all. Audio is discarded without
 * transcription.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { preparedFolder } from '../../support/database/prepared-database.js';
import { openFolder } from '../../support/folder.js';
import { until } from '../../support/until.js';

const cochlea = fileURLToPath(new URL('../../../src/app/cochlea.js', import.meta.url));

interface Program {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly errors: () => string;
  readonly ended: Promise<number | null>;
}

const start = (t: Test, words: readonly string[], env: Readonly<Record<string, string>>): Program => {
  const child = spawn(process.execPath, [cochlea, ...words], {
    env: {
      ...process.env,
      PORT: '0',
      SIDECAR_PORT: '0',
      METRICS_PORT: '0',
      SHARDS: '1',
      COCHLEA_STT: 'discard',
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr!.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  return { child, output: () => output, errors: () => errors, ended };
};

const baseOf = (program: Program): Promise<string> =>
  until(() => {
    if (program.child.exitCode !== null) throw new Error(`ended: ${program.errors()}`);
    return /Ready: (\S+)/.exec(program.output())?.[1];
  }, 'ready');

/** Returns the ids of all descendants of a process. */
const descendants = (pid: number): number[] => {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(file)) return [];
  const children = readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
};

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
};

const isReady = async (base: string): Promise<boolean> => {
  const response = await fetch(`${base}/engine/health/ready`).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.ok === true;
};

const allGone = (pids: readonly number[]) =>
  until(() => pids.every((pid) => commandOf(pid) === ''), 'all are gone');

t.test('serves, restarts a dead process at the same address, and leaves nothing behind', async (t) => {
  const dataDir = openFolder(t);
  const up = start(t, ['up'], { COCHLEA_DATA_DIR: dataDir });
  const base = await baseOf(up);
  t.ok(await isReady(base), 'the engine is ready');
  const answer = await fetch(`${base}/v1/dev/user/conversations`);
  t.equal(answer.status, 401, 'the sidecar is reached through it');
  await answer.arrayBuffer();

  const supervisor = up.child.pid!;
  for (const part of ['engine', 'sidecar']) {
    const one = (): number | undefined =>
      descendants(supervisor).find((pid) => commandOf(pid).includes(`.js ${part}`));
    const victim = one()!;
    process.kill(victim, 'SIGKILL');
    await until(() => one() !== undefined && one() !== victim, `a new ${part}`);
    const answers = async (): Promise<boolean> => {
      if (!(await isReady(base))) return false;
      const response = await fetch(`${base}/v1/dev/user/conversations`).catch(() => undefined);
      await response?.arrayBuffer();
      return response?.status === 401;
    };
    t.ok(await until(answers, `${part} answers`), `${part} is back`);
  }

  const postmaster = (): number =>
    Number(readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const before = postmaster();
  process.kill(before, 'SIGKILL');
  await until(() => {
    try {
      return postmaster() !== before;
    } catch {
      return false;
    }
  }, 'a new database');

  const second = start(t, ['up'], { COCHLEA_DATA_DIR: dataDir });
  t.equal(await second.ended, 1);
  t.match(second.errors(), /^Cochlea already runs on \S+ \(process \d+\)\. Stop it first[^\n]*\n$/);

  const created = start(t, ['users', 'create', '--uid', 'ada', '--json'], { COCHLEA_DATA_DIR: dataDir });
  t.equal(await created.ended, 0, created.errors());
  t.match(JSON.parse(created.output()), { uid: 'ada', token: /^ey/ });
  const words = ['keys', 'create', '--uid', 'ada', '--name', 'laptop', '--scope', 'all', '--json'];
  const key = start(t, words, { COCHLEA_DATA_DIR: dataDir });
  t.equal(await key.ended, 0, key.errors());
  const authorization = `Bearer ${(JSON.parse(key.output()) as { key: string }).key}`;
  const list = await fetch(`${base}/v1/dev/user/conversations`, { headers: { authorization } });
  t.equal(list.status, 200, 'the key is taken');
  await list.arrayBuffer();

  const everything = descendants(supervisor);
  t.ok(everything.some((pid) => commandOf(pid).includes('postgres')));
  up.child.kill('SIGTERM');
  t.equal(await up.ended, 0);
  t.equal(up.errors(), '', 'closing in order is not worth a word');
  await allGone(everything);
  t.notOk(existsSync(join(dataDir, 'run.json')));
});

t.test('no process outlives a killed supervisor', async (t) => {
  const up = start(t, ['up'], { COCHLEA_DATA_DIR: await preparedFolder(t) });
  await baseOf(up);
  const everything = descendants(up.child.pid!);
  up.child.kill('SIGKILL');
  await up.ended;
  t.ok(await allGone(everything), 'all are gone');
});

t.test('a signal during the start ends the supervisor, too', async (t) => {
  const up = start(t, ['up'], { COCHLEA_DATA_DIR: openFolder(t) });
  await until(() => descendants(up.child.pid!).length > 0, 'children');
  up.child.kill('SIGINT');
  t.equal(await up.ended, 0, up.errors());
});

t.test('refuses a taken port in one line with the remedy, and leaves nothing behind', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.teardown(() => taken.close());
  const { port } = taken.address() as { port: number };
  for (const variable of ['PORT', 'SIDECAR_PORT', 'METRICS_PORT']) {
    const up = start(t, ['up'], { COCHLEA_DATA_DIR: await preparedFolder(t), [variable]: String(port) });
    t.equal(await up.ended, 1);
    t.match(
      up.errors(),
      new RegExp(`^Port ${port} on \\S+ is already in use\\. [^\\n]*${variable}[^\\n]*\\n$`),
    );
  }
});

t.test('names the setting of a data folder that cannot be created', async (t) => {
  for (const words of [['up'], ['users', 'create']]) {
    const refused = start(t, words, { COCHLEA_DATA_DIR: cochlea });
    t.equal(await refused.ended, 1);
    t.match(
      refused.errors(),
      /^Setting COCHLEA_DATA_DIR is not valid: \S+ cannot be written \([^\n]*\n$/,
      words.join(' '),
    );
  }
});

t.test('an engine without a database names the remedy', async (t) => {
  for (const word of ['engine', 'sidecar']) {
    const alone = start(t, [word], { DATABASE_URL: '' });
    t.equal(await alone.ended, 1);
    t.match(alone.errors(), /^Setting DATABASE_URL is not valid: [^\n]*"cochlea up"[^\n]*\n$/);
  }
});
