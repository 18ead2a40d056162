import type { ExportedConversation, TranscriptWriter } from './formats.js';
import { plainLine, speakerOf } from './plain.js';
import { clockOf, millisecondsOf } from './times.js';

const untitled = 'Untitled';

/** Returns a time as `2026-03-02 09:30 UTC`. */
const minuteOf = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;

const timesOf = ({ started_at: started, finished_at: finished, created_at }: ExportedConversation): string =>
  `${minuteOf(started ?? created_at)}${finished === null ? '' : ` to ${minuteOf(finished)}`}`;

/** Writes plain text: the title, the times, and a line for each segment. */
export const plainText = (): TranscriptWriter => ({
  head: (conversation) =>
    `${plainLine(conversation.structured.title) || untitled}\n${timesOf(conversation)}\n\n`,
  segment: (segment) => {
    const text = plainLine(segment.text);
    return text === '' ? '' : `[${clockOf(millisecondsOf(segment.start))}] ${speakerOf(segment)}: ${text}\n`;
  },
});

/** Characters that can begin markup within a line of Markdown. Any of them may be escaped with a backslash. */
const marks = /[\\`*_[\]<>&~|!#$@{}]/g;

/** Escapes a text of one line for Markdown, so that it contains no markup and no links. */
const markdownText = (text: string): string =>
  text
    .replace(marks, '\\$&')
    .replaceAll('://', '\\://')
    .replace(/www\./gi, (www) => `${www.slice(0, 3)}\\.`);

const markdownLine = (text: string): string => markdownText(plainLine(text));

/** Escapes a text at the beginning of a line, so that it neither begins a list nor underlines a heading. */
const markdownStart = (text: string): string =>
  markdownLine(text)
    .replace(/^(?=[-+=])/, '\\')
    .replace(/^(\d+)(?=[.)])/, '$1\\');

/** Writes Markdown: title, times, overview, tasks, and a paragraph for each segment. */
export const markdown = (): TranscriptWriter => ({
  head: (conversation) => {
    const { title, overview, action_items: tasks } = conversation.structured;
    const summary = markdownStart(overview);
    const listed = tasks
      .map(({ description, completed }) => ({ completed, text: markdownLine(description) }))
      .filter(({ text }) => text !== '')
      .map(({ completed, text }) => `- [${completed ? 'x' : ' '}] ${text}\n`);
    return [
      `# ${markdownLine(title) || untitled}\n\n${timesOf(conversation)}\n`,
      summary && `\n## Summary\n\n${summary}\n`,
      listed.length > 0 && `\n## Tasks\n\n${listed.join('')}`,
      '\n## Transcript\n\n',
    ]
      .filter((part) => part)
      .join('');
  },
  segment: (segment) => {
    const text = markdownLine(segment.text);
    if (text === '') return '';
    const said = clockOf(millisecondsOf(segment.start));
    return `**${markdownText(speakerOf(segment))}** (${said}): ${text}\n\n`;
  },
});
