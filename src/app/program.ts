import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { packageDirectory } from '../config/data-dir.js';
import { benchCommand } from './commands/bench.js';
import { demoCommand } from './commands/demo.js';
import { doctorCommand } from './commands/doctor.js';
import { engineCommand } from './commands/engine.js';
import { keysCommand } from './commands/keys.js';
import { listenCommand } from './commands/listen.js';
import { modelsCommand } from './commands/models.js';
import { settingsCommand } from './commands/settings.js';
import { sidecarCommand } from './commands/sidecar.js';
import { spillCommand } from './commands/spill.js';
import { upCommand } from './commands/up.js';
import { usersCommand } from './commands/users.js';

const { version } = JSON.parse(readFileSync(join(packageDirectory(), 'package.json'), 'utf8')) as {
  version: string;
};

/** The command and all its subcommands. */
export const program = (): Command =>
  new Command('cochlea')
    .description(
      'A streaming audio engine for wearables: frames in over a WebSocket, saved conversations out.',
    )
    .version(version)
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea up                            engine, sidecar and database on this machine
  $ cochlea users create                  an account and its token
  $ cochlea listen talk.wav --token ...   stream a file as a wearable would
  $ cochlea doctor                        what is missing here

Settings are environment variables: "cochlea settings" prints them all.`,
    )
    .addCommand(upCommand())
    .addCommand(engineCommand())
    .addCommand(sidecarCommand())
    .addCommand(listenCommand())
    .addCommand(usersCommand())
    .addCommand(keysCommand())
    .addCommand(spillCommand())
    .addCommand(modelsCommand())
    .addCommand(settingsCommand())
    .addCommand(doctorCommand())
    .addCommand(demoCommand())
    .addCommand(benchCommand());
