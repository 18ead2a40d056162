import { Command } from 'commander';
import { conversationRecord } from '../../client/records/index.js';
import {
  type Acting,
  categoriesSetting,
  dateArgument,
  periodSettings,
  recordId,
  type Setting,
  setting,
  withCreateOptions,
  withSettings,
} from '../arguments/index.js';
import { commandGroup } from './command-group.js';
import { exportCommand } from './export/index.js';
import { columnsOf, listCommand, type RecordKind, recordCommands } from './record-commands.js';

const actions = () => import('./conversation-actions.js');

const kind: RecordKind = {
  path: '/v1/dev/user/conversations',
  record: conversationRecord,
  columns: columnsOf(conversationRecord),
  page: (filter) => (filter.include_transcript ? 25 : 100),
  parts: ' with its whole transcript',
  shown: async () => (await actions()).fieldsShown,
};

const transcript = (help: string) =>
  setting('include_transcript', '--include-transcript', help, { usual: false });

const settings = [
  ...periodSettings('begun'),
  categoriesSetting(),
  setting('folder_id', '--folder-id <id>', 'only those in this folder', { parse: recordId }),
  setting('starred', '--starred', 'only those with a star'),
  setting('starred', '--not-starred', 'only those without a star', { value: false, conflicts: 'starred' }),
  transcript('with transcripts, for --json and --jsonl'),
];

const origin = [
  setting('started_at', '--started-at <date>', 'start time; default: now', { parse: dateArgument }),
  setting('finished_at', '--finished-at <date>', 'when it ended', { parse: dateArgument }),
  setting('language', '--language <code>', 'language; "multi" detects it', { usual: 'en' }),
];

const ofText = [
  ...origin,
  setting('text', '--text <text>', 'the text; "-" or piped input reads standard input'),
  setting('text_source', '--text-source <kind>', 'what the text is', {
    choices: ['audio_transcript', 'message', 'other_text'],
    usual: 'other_text',
  }),
  setting(
    'text_source_spec',
    '--text-source-spec <name>',
    'further description of the source, for example an application',
  ),
];

const ofSegments = [...origin, setting('source', '--source <name>', 'source of the words; default: "phone"')];

const creation = (name: string, help: string, settings: readonly Setting[]): Command =>
  withSettings(withCreateOptions(new Command(name)), settings).description(help);

/**
 * Creates the commands for conversations: recorded conversations, and conversations made from a given text or
 * transcript.
 */
export const conversationCommand = (act: Acting): Command => {
  const { get, search, update, remove } = recordCommands(act, kind);
  return commandGroup('conversation', 'what was said', [
    listCommand(act, kind, 'finished conversations, newest first', 25, { settings }),
    get([transcript('with what was said')]),
    exportCommand(act),
    search('/v1/dev/user/conversations/vector/search'),
    creation('create', 'create a conversation from a text', ofText).action(
      act(actions, 'createConversation', ofText),
    ),
    creation('from-segments', 'create a conversation from a transcript', ofSegments)
      .argument(
        '<file>',
        'JSON: a list of segments, or {"transcript_segments": [...]}; "-" reads standard input',
      )
      .action(act(actions, 'createFromSegments', ofSegments)),
    update(),
    remove(''),
  ]);
};
