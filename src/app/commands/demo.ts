import { Command, Option } from 'commander';
import { action } from '../process/index.js';
import { demoSpeeches } from '../sample/index.js';
import { wearableCodecs } from '../wearable/index.js';
import { numberArgument } from './arguments.js';

export const demoCommand = (): Command =>
  new Command('demo')
    .description(
      'run everything here, stream the speech of fixtures/ as a wearable, and show the saved conversation',
    )
    .option('--once', 'exit when the conversation is shown')
    .option('--open', 'open the console in a browser of this machine when the conversation is shown')
    .option('--json', 'print one JSON object as the last line of stdout; everything else goes to stderr')
    .addOption(
      new Option('--codec <codec>', 'codec of the wearable').choices([...wearableCodecs]).default('opus'),
    )
    .addOption(
      new Option(
        '--speech <speech>',
        'speech to stream: a conversation with tasks and facts, or sentences of a novel',
      )
        .choices([...demoSpeeches])
        .default('conversation'),
    )
    .option('--noise <dB>', 'mix pink noise at this signal-to-noise ratio', numberArgument(-20, 100))
    .addHelpText(
      'after',
      `
Examples:
  $ npm run demo
  $ npm run demo -- --once --json
  $ npm run demo -- --once --speech novel --codec pcm16 --noise 15`,
    )
    .action(
      action(async (options) => {
        const { runDemo } = await import('../demo/demo.js');
        await runDemo(options);
      }),
    );
