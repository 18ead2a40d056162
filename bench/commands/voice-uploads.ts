import { Command } from 'commander';
import {
  type CapacityArguments,
  type LoadArguments,
  loadOf,
  type MixArguments,
  withCapacityOptions,
  withFleetOptions,
  withMixOption,
} from '../command-line/fleet-options.js';
import { loadOption } from '../command-line/load-option.js';
import { runLoadSuite } from '../command-line/load-suite.js';
import { withReportOptions } from '../command-line/report-suite.js';
import { wholeNumber } from '../command-line/whole-number.js';
import type { ReportFiles } from '../report/index.js';
import type { AskedLoad } from '../suites/asked-load.js';

interface Options extends LoadArguments, MixArguments, CapacityArguments, ReportFiles {
  readonly streams: AskedLoad;
  readonly uploads: number;
  readonly seconds: number;
}

const run = async (options: Options): Promise<void> => {
  const { runVoiceUploads } = await import('../suites/speech/voice-uploads.js');
  const { streams, uploads, seconds, cpus } = options;
  await runLoadSuite('voice-uploads', options, { stt: 'provider_b', uploads }, (watched) =>
    runVoiceUploads({
      ...loadOf(options),
      ...watched,
      asked: streams,
      uploads,
      seconds,
      cpus,
      capacity: options,
    }),
  );
};

export const voiceUploadsCommand = (): Command => {
  const command = new Command('voice-uploads')
    .description('delays of live streams, with and without many concurrent voice messages')
    .addOption(loadOption({ streams: 100 }, '100'))
    .option('--uploads <number>', 'concurrent voice messages, each with 60 s of speech', wholeNumber, 50)
    .option('--seconds <number>', 'measured seconds, once with and once without uploads', wholeNumber, 60);
  return withReportOptions(withCapacityOptions(withFleetOptions(withMixOption(command), 10), 20))
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bench voice-uploads
  $ cochlea bench voice-uploads --streams 50 --seconds 30 --json uploads.json

Fails when the p99 from a frame to its decision, or from a final text to its segment, is more than 1.5 times the undisturbed one, when a
frame or a stream is lost, or when an upload ends otherwise than with 200, or with 429 or 503 with Retry-After.`,
    )
    .action(run);
};
