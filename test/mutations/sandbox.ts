/** Copies of the compiled program with single modules replaced. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { openRunFolder } from '../run-folders.js';

export interface Sandbox {
  readonly path: string;
  /** Replaces a source of the program. @returns a function that restores the former one. */
  replace(file: string, source: string): () => void;
  remove(): void;
}

/** Returns the entries that a copy shares with the checkout. They stay unchanged. */
const sharedEntries = (checkout: string): string[] =>
  readdirSync(checkout).filter((name) => !['dist', 'package.json', '.git'].includes(name));

/** Replaces a file by a new one, because the files of a copy are links to those of the checkout. */
const put = (path: string, text: string): void => {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
};

/** Makes a copy of a compiled checkout. */
export const openSandbox = (checkout: string): Sandbox => {
  const { path, remove } = openRunFolder(join(checkout, 'build'), 'mutations-', 0o755);
  try {
    for (const name of sharedEntries(checkout)) symlinkSync(join(checkout, name), join(path, name));
    execFileSync('cp', ['-r', '--link', join(checkout, 'dist'), join(checkout, 'package.json'), path]);
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
  return {
    path,
    remove,
    replace(file, source) {
      const compiled = join(path, 'dist', file.replace(/\.ts$/, '.js'));
      const former = readFileSync(compiled, 'utf8');
      const { code } = transformSync(source, {
        loader: 'ts',
        target: 'es2022',
        tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
      });
      put(compiled, code);
      return () => put(compiled, former);
    },
  };
};
