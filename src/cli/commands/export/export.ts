import { Command, Option } from 'commander';
import type { ExportFormat } from '../../../wire/exports/index.js';
import type { Acting } from '../../arguments/index.js';

const actions = () => import('./export-actions.js');

const formats = ['txt', 'md', 'srt', 'vtt', 'json'] as const satisfies readonly ExportFormat[];

/** Creates the command that prints a conversation with its transcript in the format of a file. */
export const exportCommand = (act: Acting): Command =>
  new Command('export')
    .description('print a conversation with its whole transcript as a file: text, Markdown, subtitles, JSON')
    .argument('<id>', 'id of the conversation')
    .addOption(new Option('--format <format>', 'format of the file').choices(formats).default('txt'))
    .action(act(actions, 'exportConversation'));
