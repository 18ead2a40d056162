import { Command } from 'commander';
import { loadSettings } from '../../config/index.js';
import { requireDatabaseUrl } from '../database/index.js';
import { action } from '../process/index.js';

export const sidecarCommand = (): Command =>
  new Command('sidecar')
    .description('run one sidecar: the REST interface and the jobs behind it')
    .addHelpText(
      'after',
      `
Examples:
  $ DATABASE_URL=postgres://user:password@db/cochlea cochlea sidecar
  $ DATABASE_URL=... SIDECAR_HOST=10.0.0.2 PRIVATE_NETWORK=true cochlea sidecar   # if strangers cannot reach it

Needs DATABASE_URL; "cochlea up" runs all of it on one machine.`,
    )
    .action(
      action(async () => {
        const settings = requireDatabaseUrl(loadSettings().values);
        const { runSidecar } = await import('../services/sidecar-process.js');
        await runSidecar(settings);
      }),
    );
