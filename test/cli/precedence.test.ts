/** For the profile, service and credential of a command, flags override variables, and variables override the configuration file. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { isExposed } from '../../src/cli/config/base-address.js';
import { configPath } from '../../src/cli/config/path.js';
import { masked } from '../../src/cli/output/masked.js';
import { command, folder } from './support.js';

const keyOf = (letter: string): string => `svc_dev_${letter.repeat(32)}`;
const profile = (name: string, letter: string): string =>
  `[profiles.${name}]\napi_base = "https://${name}.example"\nauth_method = "api_key"\napi_key = "${keyOf(letter)}"\n`;

const configured = async (t: Test, content: string): Promise<string> => {
  const path = join(await folder(t), 'config.toml');
  await writeFile(path, content, { mode: 0o600 });
  return path;
};

type Case = readonly [
  flags: string,
  variables: NodeJS.ProcessEnv,
  expected: Readonly<Record<string, unknown>>,
];

/** Compares the output of `auth status` for cases of flags and variables. */
const statesOf = async (t: Test, config: string, cases: readonly Case[]): Promise<void> => {
  for (const [flags, variables, expected] of cases) {
    const words = [...flags.split(' ').filter((word) => word !== ''), '--json', 'auth', 'status'];
    const { code, out, err } = await command(words, { env: { COCHLEA_CONFIG: config, ...variables } });
    const name = `${flags} ${JSON.stringify(variables)}`;
    t.equal(code, 0, `${name} ${err}`);
    t.match(JSON.parse(out), expected, name);
  }
};

t.test('selects profile, service and key', async (t) => {
  const config = await configured(
    t,
    [
      'active_profile = "active"',
      profile('default', 'd'),
      profile('active', 'a'),
      profile('other', 'b'),
    ].join('\n'),
  );
  const of = (name: string, letter: string) => ({
    ...{ profile: name, api_base: `https://${name}.example`, credential: masked(keyOf(letter)) },
    ...{ credential_source: 'profile', auth_method: 'api_key', authenticated: true },
  });
  const [active, other, usual] = [of('active', 'a'), of('other', 'b'), of('default', 'd')];
  const variable = { COCHLEA_API_KEY: keyOf('e') };
  const fromVariable = { credential: masked(keyOf('e')), credential_source: 'COCHLEA_API_KEY' };
  await statesOf(t, config, [
    ['', {}, active],
    ['', { COCHLEA_PROFILE: '' }, active],
    ['', { COCHLEA_PROFILE: 'other' }, other],
    ['--profile default', {}, usual],
    ['-p default', { COCHLEA_PROFILE: 'other' }, usual],
    ['--profile active', { COCHLEA_PROFILE: 'other' }, active],
    [
      '--profile unknown',
      { COCHLEA_PROFILE: 'other' },
      {
        ...{ profile: 'unknown', api_base: 'http://127.0.0.1:8787', credential: masked(undefined) },
        ...{ credential_source: null, auth_method: null, authenticated: false },
      },
    ],
    [
      '',
      { COCHLEA_API_BASE: 'https://variable.example' },
      { ...active, api_base: 'https://variable.example' },
    ],
    ['', { COCHLEA_API_BASE: '' }, active],
    ['--api-base https://flag.example/', {}, { ...active, api_base: 'https://flag.example' }],
    [
      '--api-base https://flag.example',
      { COCHLEA_API_BASE: 'https://variable.example' },
      { ...active, api_base: 'https://flag.example' },
    ],
    [
      '--profile other --api-base https://flag.example',
      { COCHLEA_API_BASE: 'https://variable.example', COCHLEA_PROFILE: 'default' },
      { ...other, api_base: 'https://flag.example' },
    ],
    ['', variable, { ...active, ...fromVariable }],
    ['', { COCHLEA_API_KEY: '' }, active],
    ['--profile other', variable, { ...other, ...fromVariable }],
  ]);
  const unset = await configured(t, profile('default', 'd'));
  await statesOf(t, unset, [['', {}, usual]]);

  for (const [flags, variables, message] of [
    ['--profile=', { COCHLEA_PROFILE: 'other' }, /"" is not a valid profile name/],
    ['--api-base=', { COCHLEA_API_BASE: 'https://variable.example' }, /"" is not an address/],
    ['', { COCHLEA_PROFILE: '../x' }, /is not a valid profile name/],
    ['', { COCHLEA_API_BASE: 'ftp://one.example' }, /is not an address/],
    ['', { COCHLEA_API_KEY: 'nonsense' }, /not a developer key/],
  ] as const) {
    const words = [...flags.split(' ').filter((word) => word !== ''), 'auth', 'status'];
    const { code, err } = await command(words, { env: { COCHLEA_CONFIG: config, ...variables } });
    t.equal(code, 1, `${flags} ${JSON.stringify(variables)}`);
    t.match(err, message);
  }
});

t.test('requests use the service and the key that `auth status` shows', async (t) => {
  const seen: string[] = [];
  const services: string[] = [];
  for (const name of ['profile', 'variable', 'flag']) {
    const server = createServer(({ headers, url }, answer) => {
      seen.push(`${name} ${url?.split('?')[0]} ${headers.authorization}`);
      answer.setHeader('content-type', 'application/json');
      answer.end('[]');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => server.close());
    services.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
  const [stored, variable, flag] = services;
  const config = await configured(
    t,
    `[profiles.default]\napi_base = "${stored}"\nauth_method = "api_key"\napi_key = "${keyOf('d')}"\n`,
  );
  for (const [flags, variables, expected] of [
    [[], {}, ['profile', 'd']],
    [[], { COCHLEA_API_BASE: variable }, ['variable', 'd']],
    [[], { COCHLEA_API_KEY: keyOf('e') }, ['profile', 'e']],
    [['--api-base', flag!], { COCHLEA_API_BASE: variable, COCHLEA_API_KEY: keyOf('e') }, ['flag', 'e']],
  ] as const) {
    const { code, out, err } = await command([...flags, '--json', 'memory', 'list'], {
      env: { COCHLEA_CONFIG: config, ...variables },
    });
    t.equal(code, 0, err);
    t.equal(out, '[]\n', '--json prints the answer');
    t.equal(err, '', 'no warning for a service on this machine');
    const [service, letter] = expected;
    t.same(seen.splice(0), [`${service} /v1/dev/user/memories Bearer ${keyOf(letter)}`]);
  }
  const { err } = await command(['-v', 'memory', 'list'], { env: { COCHLEA_CONFIG: config } });
  t.match(err, /\[debug\] .*\/v1\/dev\/user\/memories/);
  t.equal((await command(['memory', 'list'], { env: { COCHLEA_CONFIG: config } })).err, '');
});

t.test('--no-color, NO_COLOR and the terminal disable colours', async (t) => {
  const config = await configured(t, profile('default', 'd'));
  for (const [flags, variables, terminal, coloured] of [
    [[], {}, true, true],
    [['--no-color'], {}, true, false],
    [[], { NO_COLOR: '1' }, true, false],
    [[], { NO_COLOR: '' }, true, true],
    [[], { TERM: 'dumb' }, true, false],
    [[], {}, false, false],
  ] as const) {
    const env = { COCHLEA_CONFIG: config, ...variables };
    const { out } = await command([...flags, 'config', 'profile', 'list'], { env, terminal });
    t.equal(out.includes('\u001b['), coloured, JSON.stringify([flags, variables, terminal]));
  }
});

t.test('a sign-in is used only at its own service', async (t) => {
  const config = await configured(
    t,
    [
      '[profiles.default]',
      'api_base = "https://here.example"',
      'auth_method = "oauth"',
      'signed_in_at = "https://elsewhere.example"',
      'id_token = "x"',
      profile('keyed', 'k'),
    ].join('\n'),
  );
  for (const [flags, variables, words, message] of [
    [
      [],
      {},
      ['memory', 'list'],
      /signed in at https:\/\/elsewhere\.example.*Sign in at https:\/\/here\.example/,
    ],
    [[], {}, ['daily-summary', 'list'], /signed in at https:\/\/elsewhere\.example/],
    [
      ['--profile', 'keyed'],
      {},
      ['daily-summary', 'list'],
      /needs a sign-in in a browser, and profile "keyed" has none/,
    ],
    [['--profile', 'none'], {}, ['memory', 'list'], /Not signed in: profile "none" has no credential/],
  ] as const) {
    const env = { COCHLEA_CONFIG: config, ...variables };
    const { code, err } = await command([...flags, ...words], { env });
    t.equal(code, 2, err);
    t.match(err, message);
  }
});

t.test('addresses and keys are checked and trimmed before use', async (t) => {
  const config = await configured(t, '');
  const set = (value: string) =>
    command(['--json', 'config', 'set', 'api_base', '--', value], { env: { COCHLEA_CONFIG: config } });
  for (const [given, stored] of [
    [' https://one.example ', 'https://one.example'],
    ['https://one.example/', 'https://one.example'],
    ['https://one.example//', 'https://one.example'],
    ['http://one.example/path/', 'http://one.example/path'],
  ] as const) {
    const { code, out, err } = await set(given);
    t.equal(code, 0, err);
    t.equal(JSON.parse(out).api_base, stored, given);
  }
  for (const given of [
    '',
    'one.example',
    'ftp://one.example',
    'file:///etc',
    'https://user@one.example',
    'https://:word@one.example',
    'https://one.example/?a=b',
    'https://one.example/#a',
  ])
    t.equal((await set(given)).code, 1, given);

  const warned = async (base: string): Promise<boolean> => {
    const env = { COCHLEA_CONFIG: config, COCHLEA_API_KEY: keyOf('a'), COCHLEA_API_BASE: base };
    const { out } = await command(['--json', 'auth', 'status'], { env });
    const { encrypted } = JSON.parse(out) as { encrypted: boolean };
    t.equal(encrypted, base.startsWith('https'), base);
    const { err } = await command(['daily-summary', 'list'], { env });
    t.match(err, /needs a sign-in/, 'a key in a variable is not a sign-in');
    return encrypted;
  };
  t.equal(await warned('https://one.example'), true);
  t.equal(await warned('http://127.0.0.1:1'), false);

  const status = (key: string) =>
    command(['--json', 'auth', 'status'], { env: { COCHLEA_CONFIG: config, COCHLEA_API_KEY: key } });
  for (const key of [` ${keyOf('a')} `, `acme2_dev_${'a'.repeat(16)}`]) {
    const { code, out, err } = await status(key);
    t.equal(code, 0, `${key} ${err}`);
    t.equal(JSON.parse(out).credential, masked(key.trim()));
  }
  for (const [key, message] of [
    [`svc_mcp_${'a'.repeat(32)}`, /This is an MCP key/],
    [`SVC_MCP_${'a'.repeat(32)}`, /This is an MCP key/],
    [`2svc_dev_${'a'.repeat(32)}`, /not a developer key/],
    ['svc_dev_', /not complete/],
    [`svc_dev_${'a'.repeat(15)}`, /not complete/],
    [`svc_dev_${'a'.repeat(20)} b`, /not complete/],
  ] as const) {
    const { code, err } = await status(key);
    t.equal(code, 1, key);
    t.match(err, message);
  }
});

t.test('only addresses of this machine count as safe without encryption', async (t) => {
  for (const [base, exposed] of [
    ['http://localhost:1', false],
    ['http://127.0.0.1:1', false],
    ['http://127.9.9.9', false],
    ['http://[::1]:1', false],
    ['http://one.example', true],
    ['http://localhost.example', true],
    ['http://[::2]', true],
    ['http://128.0.0.1', true],
    ['https://one.example', false],
  ] as const)
    t.equal(isExposed(base), exposed, base);
});

t.test('COCHLEA_CONFIG sets the path of the configuration file', async (t) => {
  for (const [given, path] of [
    [undefined, join(homedir(), '.cochlea', 'config.toml')],
    ['', join(homedir(), '.cochlea', 'config.toml')],
    ['~/other.toml', join(homedir(), 'other.toml')],
    ['~other.toml', join(process.cwd(), '~other.toml')],
    ['other.toml', join(process.cwd(), 'other.toml')],
    ['/etc/x.toml', '/etc/x.toml'],
  ] as const)
    t.equal(configPath({ COCHLEA_CONFIG: given }), path, `${given}`);
});
