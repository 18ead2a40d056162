import { Command, Option } from 'commander';
import { serviceRules } from '../custom-stt/index.js';
import { action } from '../process/index.js';
import { checkService } from '../stt-check/index.js';
import { type WearableCodec, wearableCodecs } from '../wearable/index.js';
import { integerArgument, numberArgument, paceArgument } from './arguments.js';

/** Number of ms after which a service must close an idle connection. */
const idleLimit = 90_000;

interface Options {
  readonly codec: WearableCodec;
  readonly rate?: number;
  readonly pace: number | 'max';
  readonly timeout: number;
  readonly idle?: boolean;
  readonly json?: boolean;
}

const run = async (url: string, options: Options): Promise<void> => {
  const results = await checkService(url, {
    ...options,
    timeout: options.timeout * 1000,
    ...(options.idle ? { idle: idleLimit } : { idle: undefined }),
  });
  for (const { rule, passed, skipped, why } of results) {
    const result = skipped ? 'skip' : passed ? 'pass' : 'FAIL';
    const line = `${result}  ${rule.padEnd(8)}  ${serviceRules[rule]}${why === undefined ? '' : `: ${why}`}`;
    process.stdout.write(`${options.json ? JSON.stringify({ rule, result, why }) : line}\n`);
  }
  if (results.some(({ passed, skipped }) => !passed && !skipped)) process.exitCode = 1;
};

export const sttCheckCommand = (): Command =>
  new Command('stt-check')
    .description('test the rules of a custom transcription service with real speech')
    .argument('<url>', 'address of the service, ws:// or wss://')
    .addOption(
      new Option('--codec <codec>', 'codec of the audio sent to the service')
        .choices([...wearableCodecs])
        .default('opus'),
    )
    .option(
      '--rate <hz>',
      'sample rate of the audio; 8000 for pcm8, else 16000',
      integerArgument(4000, 192_000),
    )
    .option('--pace <n>', 'multiple of real time, or "max"', paceArgument, 1)
    .option('--timeout <s>', 'seconds from the end of the audio to the close', numberArgument(1, 600), 30)
    .option('--idle', 'also wait until an idle connection is closed, which takes 90 s')
    .option('--json', 'one line of JSON for each rule')
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea stt-check ws://127.0.0.1:8090
  $ cochlea stt-check wss://stt.example.org/stream --codec pcm16 --idle

Exit code 0 if no rule is broken, 1 otherwise. "cochlea stt-server" is a service that follows all rules.`,
    )
    .action(action(run));
