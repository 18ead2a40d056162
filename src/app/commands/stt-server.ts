import { Command, Option } from 'commander';
import { loadSettings } from '../../config/index.js';
import { type Codec, codecs } from '../../wire/index.js';
import { action } from '../process/index.js';
import type { SttServerOptions } from '../services/index.js';
import { integerArgument } from './arguments.js';

export const sttServerCommand = (): Command =>
  new Command('stt-server')
    .description("run a custom transcription service with this machine's model")
    .option('--host <address>', 'listen address; beyond loopback it needs PRIVATE_NETWORK=true', '127.0.0.1')
    .option('--port <number>', 'listen port; 0: any free port', integerArgument(0, 65_535), 8090)
    .addOption(
      new Option('--codec <codec>', 'default codec of clients without codec= in their query')
        .choices([...codecs] satisfies Codec[])
        .default('opus'),
    )
    .option(
      '--rate <hz>',
      'default sample rate of clients without sample_rate=',
      integerArgument(4000, 192_000),
      16_000,
    )
    .option('--language <code>', 'default language of clients without language=', 'en')
    .option('--streams <number>', 'streams at once', integerArgument(1, 10_000), 64)
    .option(
      '--idle <s>',
      'seconds without a message after which a connection is closed',
      integerArgument(1, 3600),
      90,
    )
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea stt-server
  $ cochlea stt-check ws://127.0.0.1:8090
  $ cochlea listen talk.wav --token "$TOKEN" --stt ws://127.0.0.1:8090

It prints its address. Clients send binary frames and {"type":"CloseStream"}, and get {"type":"Results","segments":[...]}.`,
    )
    .action(
      action(async (options: SttServerOptions) => {
        const { runSttServer } = await import('../services/stt-server-process.js');
        await runSttServer(loadSettings().values, options);
      }),
    );
