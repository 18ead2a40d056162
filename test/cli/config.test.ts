/** Tests the configuration file: permissions, content, and its state after processes were killed or ran concurrently. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';
import t from 'tap';
import { changeConfig, readConfig } from '../../src/cli/config/config-file.js';
import { configPath } from '../../src/cli/config/path.js';
import { command, folder, processOf } from './support.js';

t.test('returns the path of the configuration file', async (t) => {
  t.equal(configPath({}), join(homedir(), '.cochlea', 'config.toml'));
  t.equal(configPath({ COCHLEA_CONFIG: '~/other.toml' }), join(homedir(), 'other.toml'));
  t.equal(configPath({ COCHLEA_CONFIG: '/etc/x.toml' }), '/etc/x.toml');
});

t.test('keeps the file private and preserves unknown entries', async (t) => {
  const path = join(await folder(t), 'made', 'config.toml');
  const env = { COCHLEA_CONFIG: path };
  t.equal((await command(['config', 'set', 'api_base', 'https://one.example/'], { env })).code, 0);
  t.equal((await stat(path)).mode & 0o777, 0o600);
  t.equal((await stat(join(path, '..'))).mode & 0o777, 0o700);
  await writeFile(path, `theme = "dark"\n[profiles.default]\napi_base = "https://one.example"\nnote = 7\n`);
  await chmod(path, 0o644);
  const shown = await command(['config', 'show'], { env });
  t.match(shown.err, /other users may read/);
  await command(['config', 'set', 'api_base', 'https://two.example'], { env });
  t.equal((await stat(path)).mode & 0o777, 0o600, 'writing removes access for others');
  t.same(parse(await readFile(path, 'utf8')), {
    theme: 'dark',
    profiles: { default: { api_base: 'https://two.example', note: 7 } },
  });
  t.same(await readdir(join(path, '..')), ['config.toml'], 'no other file remains');
});

t.test('flags override variables, and variables override the file', async (t) => {
  const path = join(await folder(t), 'config.toml');
  const keyOf = (digit: string): string => `svc_dev_${digit.repeat(32)}`;
  const profile = (name: string, digit: string): string =>
    `[profiles.${name}]\napi_base = "https://${name}.example"\nauth_method = "api_key"\napi_key = "${keyOf(digit)}"\n`;
  const content = [
    `active_profile = "file"\n`,
    profile('file', 'a'),
    profile('variable', 'b'),
    profile('flag', 'c'),
  ];
  await writeFile(path, content.join(''), { mode: 0o600 });
  const variables = { COCHLEA_PROFILE: 'variable', COCHLEA_API_BASE: 'https://base.example' };
  const rows: readonly [
    flags: string[],
    variables: NodeJS.ProcessEnv,
    profile: string,
    base: string,
    key: string,
  ][] = [
    [[], {}, 'file', 'https://file.example', 'a'],
    [[], { COCHLEA_PROFILE: 'variable' }, 'variable', 'https://variable.example', 'b'],
    [['--profile', 'flag'], { COCHLEA_PROFILE: 'variable' }, 'flag', 'https://flag.example', 'c'],
    [['-p', 'flag'], variables, 'flag', 'https://base.example', 'c'],
    [['--api-base', 'https://given.example'], variables, 'variable', 'https://given.example', 'b'],
    [['-p', 'flag'], { COCHLEA_API_KEY: keyOf('d') }, 'flag', 'https://flag.example', 'd'],
  ];
  for (const [flags, given, name, base, digit] of rows) {
    const { out } = await command(['--json', ...flags, 'auth', 'status'], {
      env: { COCHLEA_CONFIG: path, ...given },
    });
    const key = keyOf(digit);
    t.match(
      JSON.parse(out),
      { profile: name, api_base: base, credential: `${key.slice(0, 6)}\u2026${key.slice(-4)}` },
      JSON.stringify([flags, given]),
    );
  }
});

t.test('uses colours only on terminals, and not with NO_COLOR or --no-color', async (t) => {
  const path = join(await folder(t), 'config.toml');
  await writeFile(path, '[profiles.default]\napi_base = "https://one.example"\n', { mode: 0o600 });
  const shown = async (flags: string[], env: NodeJS.ProcessEnv, terminal = true): Promise<boolean> =>
    (
      await command([...flags, 'config', 'profile', 'list'], {
        env: { COCHLEA_CONFIG: path, ...env },
        terminal,
      })
    ).out.includes('\u001b[');
  t.equal(await shown([], {}), true);
  t.equal(await shown([], {}, false), false);
  t.equal(await shown([], { NO_COLOR: '1' }), false);
  t.equal(await shown(['--no-color'], {}), false);
});

t.test('an unusable file is reported and not overwritten', async (t) => {
  const place = await folder(t);
  const cases = {
    'broken.toml': 'active_profile = ',
    'types.toml': 'active_profile = 7',
    'method.toml': '[profiles.a]\nauth_method = "magic"',
    'name.toml': '[profiles."../x"]\napi_base = "https://one.example"',
    'text.toml': '[profiles.a]\napi_key = 7',
    'bytes.toml': Buffer.from([0x61, 0x3d, 0x22, 0xff, 0x22]),
    'large.toml': `a = "${'x'.repeat(1024 * 1024)}"`,
  };
  for (const [name, content] of Object.entries(cases)) {
    const path = join(place, name);
    await writeFile(path, content, { mode: 0o600 });
    const env = { COCHLEA_CONFIG: path };
    const read = await command(['auth', 'status'], { env });
    t.equal(read.code, 0, name);
    t.match(read.err, /is not used/, name);
    const written = await command(['config', 'set', 'api_base', 'https://one.example'], { env });
    t.equal(written.code, 1, name);
    t.match(written.err, /is not changed/, name);
    t.same(await readFile(path), Buffer.from(content), `${name} is unchanged`);
  }
  const asFolder = join(place, 'folder.toml');
  await mkdir(asFolder);
  t.match((await readConfig(asFolder)).problem, /not a regular file/);
});

const needsRoot = process.geteuid?.() === 0 ? false : 'only root can make a file of another user';
t.test('refuses a file of another user, also through a link', { skip: needsRoot }, async (t) => {
  const place = await folder(t);
  const foreign = join(place, 'foreign.toml');
  await writeFile(foreign, '');
  await chown(foreign, 65_534, 65_534);
  t.match((await readConfig(foreign)).problem, /another user/);
  await symlink(foreign, join(place, 'to-foreign.toml'));
  await t.rejects(
    changeConfig(join(place, 'to-foreign.toml'), () => undefined),
    /another user/,
  );
});

t.test('writes through a link and keeps the link', async (t) => {
  const place = await folder(t);
  const [file, link] = [join(place, 'file.toml'), join(place, 'link.toml')];
  await writeFile(file, '', { mode: 0o600 });
  await symlink(file, link);
  await command(['config', 'set', 'api_base', 'https://one.example'], { env: { COCHLEA_CONFIG: link } });
  t.ok((await lstat(link)).isSymbolicLink());
  t.match(await readFile(file, 'utf8'), 'one.example');
});

t.test('twenty processes at once lose no change', async (t) => {
  const path = join(await folder(t), 'config.toml');
  const env = { COCHLEA_CONFIG: path };
  const names = Array.from({ length: 20 }, (_, number) => `p${number}`);
  const ran = await Promise.all(
    names.map((name) =>
      processOf(['-p', name, 'config', 'set', 'api_base', `https://${name}.example`], { env }),
    ),
  );
  t.same(
    ran.filter(({ code }) => code !== 0),
    [],
  );
  const { profiles } = parse(await readFile(path, 'utf8')) as {
    profiles: Record<string, { api_base: string }>;
  };
  t.same(Object.keys(profiles).sort(), [...names].sort());
  for (const name of names) t.equal(profiles[name]!.api_base, `https://${name}.example`);
});

t.test('a process that is killed during a write leaves a complete file', async (t) => {
  const path = join(await folder(t), 'config.toml');
  const writer = fileURLToPath(new URL('./config-writer.js', import.meta.url));
  for (let round = 0; round < 8; round++) {
    const child = spawn(process.execPath, [writer, path, `r${round}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for (let changes = 0; changes <= round; changes++) await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    const { config, problem } = await readConfig(path);
    t.equal(problem, undefined);
    t.match(config.profiles?.default?.api_base, new RegExp(`^https://r${round}-\\d+\\.example$`));
    t.equal(config.profiles?.default?.api_key?.length, 20_000);
    // After some seconds, the next process takes over the killed process's lock. Only the last round waits for that,
    // and the other rounds remove the lock.
    if (round < 7) await rm(`${path}.lock`, { recursive: true, force: true });
  }
  const after = await command(['config', 'set', 'api_base', 'https://after.example'], {
    env: { COCHLEA_CONFIG: path },
  });
  t.equal(after.code, 0, after.err);
  t.equal((await readConfig(path)).config.profiles?.default?.api_base, 'https://after.example');
});
