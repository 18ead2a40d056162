import { Command } from 'commander';
import { loadSettings } from '../../config/index.js';
import { action } from '../process/index.js';

export const transcriberCommand = (): Command =>
  new Command('transcriber')
    .description('run the transcription service of this machine, which engines and the sidecar share')
    .option('--while-used', 'exit some seconds after the last client has disconnected')
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea transcriber
  $ COCHLEA_DATA_DIR=/var/lib/cochlea/data TRANSCRIBER_CONCURRENCY=3 cochlea transcriber

It listens on a socket in the data folder. "cochlea up" also runs it. A separate engine or sidecar starts it if none answers,
unless TRANSCRIBER_START=join.`,
    )
    .action(
      action(async ({ whileUsed = false }: { whileUsed?: boolean }) => {
        const { runTranscriber } = await import('../services/transcription-process.js');
        await runTranscriber(loadSettings().values, whileUsed);
      }),
    );
