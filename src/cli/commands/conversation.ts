import { Command, Option } from 'commander';
import {
  type Acting,
  type ConversationChange,
  type ConversationListOptions,
  dateArgument,
  recordId,
  type SegmentsOptions,
  sinceArgument,
  type TextOptions,
  wholeNumber,
  withCreateOptions,
  withListOptions,
  withYes,
} from '../arguments/index.js';

const withOrigin = (command: Command): Command =>
  withCreateOptions(command)
    .option('--started-at <date>', 'when it began; now when absent', dateArgument)
    .option('--finished-at <date>', 'when it ended', dateArgument)
    .option('--language <code>', 'its language; "multi" when it is to be found', 'en');

/** What was said, or supplied as a text. */
export const conversationCommand = (act: Acting): Command => {
  const actions = () => import('./conversation-actions.js');
  const list = withListOptions(new Command('list'), 25)
    .description('finished conversations, newest first')
    .option('--since <when>', 'begun since a date, or 30m, 12h, 7d, 2w ago', sinceArgument)
    .addOption(
      new Option('--start-date <date>', 'begun on this date or later')
        .argParser(dateArgument)
        .conflicts('since'),
    )
    .option('--end-date <date>', 'begun before, or on this day', dateArgument)
    .option('--categories <names>', 'only these categories, separated by commas')
    .option('--folder-id <id>', 'only those in this folder', recordId)
    .option('--starred', 'only those with a star')
    .addOption(new Option('--not-starred', 'only those without a star').conflicts('starred'))
    .option('--include-transcript', 'with what was said, for --json and --jsonl')
    .action(
      act<[ConversationListOptions]>(async (...given) => (await actions()).listConversations(...given)),
    );

  const get = new Command('get')
    .description('one conversation')
    .argument('<id>', 'id', recordId)
    .option('--include-transcript', 'with what was said')
    .action(
      act<[string, { includeTranscript?: boolean }]>(async (...given) =>
        (await actions()).getConversation(...given),
      ),
    );

  const search = new Command('search')
    .description('conversations that answer a query, the most relevant first')
    .argument('<query>', 'what is looked for, by meaning and by words')
    .option('--limit <n>', 'conversations, at most', wholeNumber(1, 1_000_000), 10)
    .action(
      act<[string, { limit: number }]>(async (...given) => (await actions()).searchConversations(...given)),
    );

  const create = withOrigin(new Command('create'))
    .description('make a conversation of a text')
    .option('--text <text>', 'the text; "-", or nothing where something is piped in, reads standard input')
    .addOption(
      new Option('--text-source <kind>', 'what the text is')
        .choices(['audio_transcript', 'message', 'other_text'])
        .default('other_text'),
    )
    .option('--text-source-spec <name>', 'describes the source further, for example an application')
    .action(act<[TextOptions]>(async (...given) => (await actions()).createConversation(...given)));

  const fromSegments = withOrigin(new Command('from-segments'))
    .description('make a conversation of a transcript')
    .argument(
      '<file>',
      'JSON: a list of segments, or {"transcript_segments": [...]}; "-" reads standard input',
    )
    .option('--source <name>', 'where the words come from; "phone" when absent')
    .action(
      act<[string, SegmentsOptions]>(async (...given) => (await actions()).createFromSegments(...given)),
    );

  const update = new Command('update')
    .description('change a conversation; what is not given stays')
    .argument('<id>', 'id', recordId)
    .option('--title <text>', 'title')
    .option('--discarded', 'leave it out of lists')
    .option('--no-discarded', 'show it in lists again')
    .option('--starred', 'give it a star')
    .option('--no-starred', 'take its star')
    .option('--folder <id>', 'put it into this folder', recordId)
    .option('--no-folder', 'take it out of its folder')
    .action(
      act<[string, ConversationChange]>(async (...given) => (await actions()).updateConversation(...given)),
    );

  const remove = withYes(new Command('delete'))
    .description('delete a conversation with everything that was said in it')
    .argument('<id>', 'id', recordId)
    .action(
      act<[string, { yes?: boolean }]>(async (...given) => (await actions()).deleteConversation(...given)),
    );

  const group = new Command('conversation').description('what was said');
  for (const command of [list, get, search, create, fromSegments, update, remove]) group.addCommand(command);
  return group;
};
