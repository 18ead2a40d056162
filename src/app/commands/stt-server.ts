import { Command, Option } from 'commander';
import { loadSettings } from '../../config/index.js';
import { type Codec, codecs } from '../../wire/index.js';
import { action } from '../process/index.js';
import type { SttServerOptions } from '../services/index.js';
import { integerArgument } from './arguments.js';

export const sttServerCommand = (): Command =>
  new Command('stt-server')
    .description('run a custom transcription service, with the model of this machine behind it')
    .option(
      '--host <address>',
      'where it listens; beyond loopback PRIVATE_NETWORK=true is needed',
      '127.0.0.1',
    )
    .option('--port <number>', 'its port; 0: one that is free', integerArgument(0, 65_535), 8090)
    .addOption(
      new Option('--codec <codec>', 'codec of clients that name none in their query (codec=)')
        .choices([...codecs] satisfies Codec[])
        .default('opus'),
    )
    .option(
      '--rate <hz>',
      'rate of those that name none (sample_rate=)',
      integerArgument(4000, 192_000),
      16_000,
    )
    .option('--language <code>', 'language of those that name none (language=)', 'en')
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
