import { Command } from 'commander';
import { release } from '../config/process/index.js';

/** Functions that load the subcommands, in the order of the help. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  up: async () => (await import('./commands/up.js')).upCommand(),
  engine: async () => (await import('./commands/engine.js')).engineCommand(),
  sidecar: async () => (await import('./commands/sidecar.js')).sidecarCommand(),
  transcriber: async () => (await import('./commands/transcriber.js')).transcriberCommand(),
  listen: async () => (await import('./commands/listen.js')).listenCommand(),
  'stt-server': async () => (await import('./commands/stt-server.js')).sttServerCommand(),
  'stt-check': async () => (await import('./commands/stt-check.js')).sttCheckCommand(),
  users: async () => (await import('./commands/users.js')).usersCommand(),
  console: async () => (await import('./commands/console.js')).consoleCommand(),
  keys: async () => (await import('./commands/keys.js')).keysCommand(),
  'signing-keys': async () => (await import('./commands/signing-keys.js')).signingKeysCommand(),
  spill: async () => (await import('./commands/spill.js')).spillCommand(),
  retained: async () => (await import('./commands/retained.js')).retainedCommand(),
  jobs: async () => (await import('./commands/jobs.js')).jobsCommand(),
  models: async () => (await import('./commands/models.js')).modelsCommand(),
  bus: async () => (await import('./commands/bus.js')).busCommand(),
  settings: async () => (await import('./commands/settings.js')).settingsCommand(),
  user: async () => (await import('./commands/user.js')).userCommand(),
  'mcp-stdio': async () => (await import('./commands/mcp-stdio.js')).mcpStdioCommand(),
  doctor: async () => (await import('./commands/doctor.js')).doctorCommand(),
  demo: async () => (await import('./commands/demo.js')).demoCommand(),
  bench: async () => (await import('./commands/bench.js')).benchCommand(),
};

/**
 * Creates the command and its subcommands.
 * @param word the first argument. If it names a subcommand, only that subcommand is loaded. Loading all subcommands
 *   would import most of the product in each process of "cochlea up".
 */
export const program = async (word = ''): Promise<Command> => {
  const command = new Command('cochlea')
    .description(
      'A streaming audio engine for wearables: frames in over a WebSocket, saved conversations out.',
    )
    .version(release)
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea up                            engine, sidecar and database on this machine
  $ cochlea users create                  an account and its token
  $ cochlea listen talk.wav --token ...   stream a file as a wearable would
  $ cochlea user memory list              what users do with the service; also "cochlea-user memory list"
  $ cochlea doctor                        what is missing here

Settings are environment variables: "cochlea settings" prints them all.`,
    );
  const named = Object.hasOwn(commands, word) ? [commands[word]!] : Object.values(commands);
  for (const load of named) command.addCommand(await load());
  return command;
};
