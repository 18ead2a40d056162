/**
 * Runs the conformance suite of the Model Context Protocol against a sidecar with its own database: `npm run conformance`. A scenario that
 * fails must be in `expected-failures.json`, and a scenario that passes must not be there. Otherwise the run fails. Arguments: the
 * scenarios to run.
 * The suite and its Node release are npm packages, pinned by version and content in the lock file beside this source.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { loadSettings } from '../../src/config/load-settings.js';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { createUser } from '../../src/identity/users.js';
import { createLogger } from '../../src/log/logger.js';
import { startSidecar } from '../../src/sidecar/start-sidecar.js';
import { testDatabase } from '../support/database/database.js';
import { testSecret } from '../support/issuer-secret.js';
import { createMcpKey } from '../support/mcp-key.js';

const folder = join(packageDirectory(), 'test', 'conformance');
const environment = join(packageDirectory(), 'build', 'conformance');
const pinnedSystem = 'linux-x64';
/** Timeout in ms for all scenarios. They take about ten seconds. */
const timeout = 300_000;

/** Scenarios that are expected to fail, each with the reason. */
const expected = JSON.parse(readFileSync(join(folder, 'expected-failures.json'), 'utf8')) as Readonly<
  Record<string, string>
>;

/** Installs the suite, once for each version of the lock file. */
const install = (): void => {
  const stamp = join(environment, 'installed.json');
  const wanted = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  mkdirSync(environment, { recursive: true });
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(join(folder, name), join(environment, name));
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeFileSync(stamp, wanted);
};

const closing: (() => unknown)[] = [];
const teardown = { teardown: (action: () => unknown) => closing.unshift(action) };

/** Starts a proxy that adds a credential to every request, because the suite cannot send one. @returns the port. */
const startProxy = async (port: number, key: string): Promise<number> => {
  const proxy = createServer((asked, answer) => {
    const { method, url, headers } = asked;
    const forwarded = request(
      { host: '127.0.0.1', port, method, path: url, headers: { ...headers, authorization: `Bearer ${key}` } },
      (received) => {
        answer.writeHead(received.statusCode!, received.headers);
        pipeline(received, answer, () => undefined);
      },
    );
    pipeline(asked, forwarded, (error) => {
      if (error) answer.destroy();
    });
    answer.once('close', () => forwarded.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  closing.unshift(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return (proxy.address() as AddressInfo).port;
};

interface Check {
  readonly name: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** Returns the failed checks of a scenario. Empty: the scenario passed. */
const complaintsOf = (checks: readonly Check[]): string[] => {
  const bad = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  if (bad.length > 0) return bad.map(({ name, errorMessage }) => `${name}: ${errorMessage ?? 'no message'}`);
  return checks.some(({ status }) => status === 'SUCCESS') ? [] : ['it checked nothing'];
};

/** Runs the suite, which writes a folder for each scenario. @returns the failed checks by scenario. */
const runSuite = async (url: string, scenarios: readonly string[]): Promise<Map<string, string[]>> => {
  const results = join(environment, 'results');
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results);
  const log = createWriteStream(join(results, 'output.txt'));
  const node = join(environment, 'node_modules', 'node-22', 'bin', 'node');
  const program = join(
    environment,
    'node_modules',
    '@modelcontextprotocol',
    'conformance',
    'dist',
    'index.js',
  );
  for (const words of scenarios.length === 0
    ? [['--suite', 'all']]
    : scenarios.map((one) => ['--scenario', one])) {
    const suite: ChildProcess = spawn(node, [program, 'server', '--url', url, '-o', results, ...words], {
      cwd: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout,
    });
    suite.stdout!.pipe(log, { end: false });
    suite.stderr!.pipe(log, { end: false });
    await once(suite, 'close');
  }
  log.end();
  const entries = readdirSync(results, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return new Map(
    entries.map(({ name }) => {
      const file = join(results, name, 'checks.json');
      const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, '');
      const checks = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Check[]) : null;
      return [scenario, checks === null ? ['it did not end'] : complaintsOf(checks)];
    }),
  );
};

const main = async (): Promise<boolean> => {
  const system = `${process.platform}-${process.arch}`;
  if (system !== pinnedSystem) {
    process.stdout.write(`skipped: the suite needs Node for ${pinnedSystem}, this is ${system}\n`);
    return true;
  }
  install();
  const { url, sql } = await testDatabase(teardown);
  const settings = loadSettings({
    SIDECAR_PORT: '0',
    ISSUER_SECRET: testSecret,
    SENTENCE_MODEL: 'none',
  }).values;
  const log = createLogger('conformance', 'error');
  const sidecar = await startSidecar({ settings, databaseUrl: url, log, checkAnswers: true });
  closing.unshift(() => sidecar.close());
  const { uid } = await createUser(sql, { uid: 'assisted', name: 'Ann Example' });
  const { key } = await createMcpKey(sql, settings, uid);
  const port = await startProxy(sidecar.port, key);

  const asked = process.argv.slice(2);
  const found = await runSuite(`http://127.0.0.1:${port}/v1/mcp/sse`, asked);
  const missing = Object.keys(expected).filter((name) => asked.length === 0 && !found.has(name));
  let failed = missing.length;
  for (const name of missing) process.stdout.write(`not ok: ${name} is expected to fail, and was not run\n`);
  for (const [scenario, complaints] of found) {
    const reason = expected[scenario];
    const asExpected = complaints.length > 0 === (reason !== undefined);
    if (!asExpected) failed++;
    const why = complaints.length > 0 ? (reason ?? complaints.join('; ')) : 'passed';
    process.stdout.write(`${asExpected ? 'ok' : 'not ok'}: ${scenario}: ${why}\n`);
  }
  process.stdout.write(`${found.size + missing.length - failed} passed, ${failed} failed\n`);
  return failed === 0 && found.size > 0;
};

let passed = false;
try {
  passed = await main();
} finally {
  for (const close of closing) await close();
}
process.exitCode = passed ? 0 : 1;
