/** Runs commands of the user client, in this process or in a separate one. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { run } from '../../src/cli/run.js';
import { packageDirectory } from '../../src/config/process/data-dir.js';

export const program = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: string;
  /** Whether standard input, output and error all claim to be terminals. */
  readonly terminal?: boolean;
}

/** Makes a folder that is removed after the test. */
export const folder = async (t: Test): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), 'cochlea-cli-'));
  t.teardown(() => rm(made, { recursive: true, force: true }));
  return made;
};

const collected = (stream: PassThrough): (() => string) => {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
};

/** Writes a configuration file with a signed-in person. */
export const signedIn = async (
  path: string,
  base: string,
  { token }: { readonly token: string },
): Promise<void> => {
  const expiry = Math.floor(Date.now() / 1000) + 3600;
  await writeFile(
    path,
    `[profiles.default]\napi_base = "${base}"\nauth_method = "oauth"\nid_token = "${token}"\nrefresh_token = "none"\nid_token_expires_at = ${expiry}\nsigned_in_at = "${base}"\n`,
    { mode: 0o600 },
  );
};

/** Runs a command in this process. */
export const command = async (
  args: readonly string[],
  { env = {}, stdin = '', terminal = false }: RunOptions = {},
): Promise<Ran> => {
  const stdout = Object.assign(new PassThrough(), { isTTY: terminal });
  const stderr = Object.assign(new PassThrough(), { isTTY: terminal });
  const [out, err] = [collected(stdout), collected(stderr)];
  const input = Object.assign(Readable.from([stdin]), { isTTY: terminal });
  const code = await run(args, 'cochlea-user', { env, stdin: input, stdout, stderr });
  return { code, out: out(), err: err() };
};

/** Runs a command in a new process. */
export const processOf = (args: readonly string[], { env = {}, stdin = '' }: RunOptions = {}): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...env } });
    const [out, err]: Buffer[][] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => out!.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err!.push(chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ code: code ?? -1, out: Buffer.concat(out!).toString(), err: Buffer.concat(err!).toString() }),
    );
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
  });

/** Splits a shell line with single and double quotes into words. */
const wordsOf = (line: string): string[] =>
  (line.match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? []).map((word) =>
    /^['"]/.test(word) ? word.slice(1, -1) : word,
  );

const transcripts = join(packageDirectory(), 'test', 'cli', 'transcripts');
/** Whether the tests write the output of commands into the transcripts instead of comparing it. */
const writing = process.env.WRITE_TRANSCRIPTS === '1';

/**
 * Gives names to the values that differ between runs. Replaces these values with their names in outputs, and the names
 * with the values in commands.
 */
export class Names {
  readonly #names = new Map<string, string>();
  #ids = 0;

  constructor(fixed: Readonly<Record<string, string>>) {
    for (const [name, value] of Object.entries(fixed)) this.#names.set(value, name);
  }

  shown(text: string): string {
    const named = text
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|goal_[0-9a-f]{12}/g, (id) => {
        if (!this.#names.has(id)) this.#names.set(id, `ID${++this.#ids}`);
        return this.#names.get(id)!;
      })
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (moment) => (moment.startsWith('2026-03') ? moment : 'TIME'))
      .replace(/\b20(2[6-9]|[3-9]\d)-(?!03)\d\d-\d\d\b/g, 'DAY')
      .replace(/\d\d_\d+_\d+/g, 'SCORE')
      .replace(/svc_dev_[0-9a-f]{4}\.\.\.[0-9a-f]{4}/g, 'PREFIX');
    return [...this.#names].reduce((left, [value, name]) => left.replaceAll(value, name), named);
  }

  real(text: string): string {
    return [...this.#names].reduce(
      (left, [value, name]) => left.replace(new RegExp(`\\b${name}\\b`, 'g'), value),
      text,
    );
  }
}

/** Runs the commands of a transcript file and compares their output. Shell lines follow "$ ", and piped input follows "< ". */
export const transcript = async (t: Test, file: string, names: Names, options: RunOptions): Promise<void> => {
  const path = join(transcripts, file);
  const expected = await readFile(path, 'utf8');
  const lines = expected.split('\n');
  const seen: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('# ')) seen.push(line);
    if (!line.startsWith('$ ')) continue;
    seen.push(line);
    const stdin = lines[index + 1]?.startsWith('< ') ? lines[index + 1]!.slice(2) : undefined;
    if (stdin !== undefined) seen.push(`< ${stdin}`);
    const words = wordsOf(names.real(line.slice(2)));
    const ran = await command(words, {
      ...options,
      ...(stdin !== undefined && { stdin: names.real(stdin) }),
    });
    const text = [
      ran.out,
      ran.err.replace(/^(?=.)/gm, '! '),
      ran.code === 0 ? '' : `[exit ${ran.code}]\n`,
    ].join('');
    seen.push(...names.shown(text).replaceAll('\u001b', '\\e').replace(/\n$/, '').split('\n'));
  }
  if (writing) await writeFile(path, `${seen.join('\n')}\n`);
  const withoutBlanks = (text: string): string => text.replace(/\n+/g, '\n').trim();
  t.equal(withoutBlanks(seen.join('\n')), withoutBlanks(writing ? seen.join('\n') : expected), file);
};
