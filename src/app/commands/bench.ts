import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { packageDirectory } from '../../config/data-dir.js';
import { CochleaError } from '../../errors/index.js';
import { action } from '../action.js';

/** Whether an import of this package, from any compiled file of this product, would find it. */
const isInstalled = (name: string): boolean => {
  try {
    import.meta.resolve(name);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND';
  }
};

/**
 * What the benches lack on this machine, in the words of the error; undefined when they can run. They are a workspace of
 * the checkout (`bench/package.json`) whose packages an installation of the product alone leaves out.
 */
const missingPart = (directory: string, entry: string): string | undefined => {
  const manifest = join(directory, 'bench', 'package.json');
  if (!existsSync(manifest) || !existsSync(entry)) return 'this installation holds the product alone';
  const { devDependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    devDependencies: Readonly<Record<string, string>>;
  };
  // Type declarations serve the compiler only, and cannot be imported.
  const names = Object.keys(devDependencies).filter((name) => !name.startsWith('@types/'));
  const missing = names.filter((name) => !isInstalled(name));
  return missing.length === 0 ? undefined : `missing ${missing.join(', ')}`;
};

/**
 * Becomes the benches' own program, in this very process: signals and the exit code need no forwarding.
 * @throws CochleaError `bench_missing` where its workspace is not installed.
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
    // The benches parse every word themselves, `--help` too.
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(action(run));
