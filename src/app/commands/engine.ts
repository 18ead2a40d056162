import { Command } from 'commander';
import { loadSettings } from '../../config/index.js';
import { requireDatabaseUrl } from '../database/index.js';
import { action } from '../process/index.js';
import { integerArgument } from './arguments.js';

export const engineCommand = (): Command =>
  new Command('engine')
    .description('run one engine: the listener and its shards')
    .option(
      '--index <n>',
      'number of this engine among several that share one port and data folder',
      integerArgument(0, 63),
      0,
    )
    .addHelpText(
      'after',
      `
Examples:
  $ DATABASE_URL=postgres://user:password@db/cochlea cochlea engine
  $ DATABASE_URL=... SIDECAR_HOST=10.0.0.2 PRIVATE_NETWORK=true cochlea engine

Needs DATABASE_URL and a sidecar, and joins or starts the transcription service of its data folder; "cochlea up" runs all of it on one
machine.`,
    )
    .action(
      action(async (options: { index: number }) => {
        const settings = requireDatabaseUrl(loadSettings().values);
        const { runEngine } = await import('../services/engine-process.js');
        await runEngine(settings, options.index);
      }),
    );
