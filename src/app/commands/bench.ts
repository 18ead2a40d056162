import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { packageDirectory } from '../../config/process/index.js';
import { CochleaError } from '../../errors/index.js';
import { action } from '../process/index.js';

/** Checks whether compiled files of this product can import a package. */
const isInstalled = (name: string): boolean => {
  try {
    import.meta.resolve(name);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND';
  }
};

/**
 * Returns an error text that names the missing part of the benches; undefined if nothing is missing. The benches are a
 * workspace of the checkout (`bench/package.json`). If only the product is installed, their packages are missing.
 */
const missingPart = (directory: string, entry: string): string | undefined => {
  const manifest = join(directory, 'bench', 'package.json');
  if (!existsSync(manifest) || !existsSync(entry)) return 'this installation contains only the product';
  const { devDependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    devDependencies: Readonly<Record<string, string>>;
  };
  // Type declarations are for the compiler and cannot be imported.
  const names = Object.keys(devDependencies).filter((name) => !name.startsWith('@types/'));
  const missing = names.filter((name) => !isInstalled(name));
  return missing.length === 0 ? undefined : `missing ${missing.join(', ')}`;
};

/**
 * Runs the benchmark program in this process, so signals and the exit code need no forwarding.
 * @throws CochleaError `bench_missing` if its workspace is not installed.
 */
const run = async (_options: unknown, command: Command): Promise<void> => {
  const directory = packageDirectory();
  const entry = join(directory, 'dist', 'bench', 'index.js');
  const why = missingPart(directory, entry);
  if (why !== undefined) throw new CochleaError('bench_missing', { why });
  process.argv = [process.execPath, entry, ...command.args];
  await import(pathToFileURL(entry).href);
};

export const benchCommand = (): Command =>
  new Command('bench')
    .description('measure this machine, or load a server: "cochlea bench --help" lists the suites')
    // The benchmark program parses all arguments, including `--help`.
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(action(run));
