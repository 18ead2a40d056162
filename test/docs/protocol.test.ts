/** The clients in docs/protocol.md and the README must work as printed. The page must name every close code. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { wordError } from '../../src/app/sample/word-error.js';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { type ErrorEntry, errorRegistry } from '../../src/errors/registry.js';
import { startService } from '../support/service.js';
import { fixtureUtterances } from '../support/texts/speech.js';

const run = promisify(execFile);
const checkout = packageDirectory();
const page = readFileSync(join(checkout, 'docs', 'protocol.md'), 'utf8');
const readme = readFileSync(join(checkout, 'README.md'), 'utf8');
/** The folder is in the checkout, so that the client finds the installed packages. */
const folder = join(checkout, 'build', 'docs');
const websockets = 'websockets==17.4';

/** Writes the code block that is marked as a client in this language to a file. */
const clientFile = (language: string, name: string, text = page): string => {
  const [, code] = new RegExp(`\`\`\`${language} client\n([\\s\\S]*?)\n\`\`\``).exec(text) ?? [];
  if (code === undefined) throw new Error(`no client in ${language}`);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, `${code}\n`);
  return file;
};

/** Returns a Python with the package of the client, or the reason why it is missing. */
const python = async (): Promise<{ program: string } | { skipped: string }> => {
  const environment = join(folder, 'python');
  const program = join(environment, 'bin', 'python');
  try {
    if (!existsSync(join(environment, 'made'))) {
      await run('python3', ['-m', 'venv', '--clear', environment]);
      await run(program, ['-m', 'pip', 'install', '--disable-pip-version-check', '--quiet', websockets]);
      writeFileSync(join(environment, 'made'), websockets);
    }
    return { program };
  } catch (error) {
    return { skipped: `no Python with ${websockets}: ${(error as Error).message.split('\n')[0]}` };
  }
};

t.test('every close code of the registry is explained', async (t) => {
  const entries: readonly ErrorEntry[] = Object.values(errorRegistry);
  for (const code of new Set(entries.flatMap(({ close }) => close ?? []))) {
    t.match(page, new RegExp(`^\\| ${code} \\|`, 'm'), String(code));
  }
});

t.test('all clients print what was said', async (t) => {
  const service = await startService(t);
  const { file, text } = fixtureUtterances[0]!;
  const recording = join(checkout, 'fixtures', 'speech', file);
  const environmentOf = async (uid: string): Promise<NodeJS.ProcessEnv> => ({
    ...process.env,
    COCHLEA_URL: service.base.replace(/^http/, 'ws'),
    COCHLEA_UID: uid,
    COCHLEA_TOKEN: (await service.user(uid)).token,
  });
  const listen = async (uid: string, program: string, script: string): Promise<string> => {
    const env = await environmentOf(uid);
    const { stdout } = await run(program, [script, recording], { env, timeout: 180_000 });
    return stdout;
  };
  const judge = (t: Test, printed: string): void => {
    t.match(printed, /^SPEAKER_00: /);
    const words = printed.replace(/^SPEAKER_\d+: /gm, '');
    t.ok(wordError(text, words).rate < 0.3, 'the words are those of the recording');
  };

  /** Returns the words that the README's device printed, as soon as they match the recording, or after a minute. */
  const device = async (uid: string): Promise<string> => {
    const script = clientFile('js', 'device.mjs', readme);
    const child = spawn(process.execPath, [script, recording], {
      env: await environmentOf(uid),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    const segments = new Map<string, string>();
    const said = (): string => [...segments.values()].join(' ');
    const timer = setTimeout(() => child.kill(), 60_000);
    for await (const line of createInterface({ input: child.stdout })) {
      const message: unknown = line.startsWith('[') ? JSON.parse(line) : [];
      for (const { id, text } of message as { id: string; text: string }[]) segments.set(id, text);
      if (wordError(text, said()).rate < 0.3) child.kill();
    }
    clearTimeout(timer);
    await ended;
    return said();
  };

  const environment = await python();
  const eightLines = device('cleo');
  const javascript = listen('ann', process.execPath, clientFile('js', 'client.mjs'));
  const snake =
    'skipped' in environment
      ? undefined
      : listen('bob', environment.program, clientFile('python', 'client.py'));
  await t.test('the device of the README', async (t) => {
    t.ok(wordError(text, await eightLines).rate < 0.3, 'the words are those of the recording');
  });
  await t.test('JavaScript', async (t) => judge(t, await javascript));
  await t.test('Python', { skip: 'skipped' in environment && environment.skipped }, async (t) =>
    judge(t, (await snake)!),
  );
});
