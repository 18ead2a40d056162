import { z } from 'zod';
import { UserSums } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import { exportConversation, exportEverything } from '../../service/exports/index.js';
import { attachmentOf, exportFormats, exportTypes } from '../../wire/exports/index.js';
import { FileInParts } from '../answers/index.js';
import { conversationAnswer } from '../dev/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { idPath, trimmed } from '../schemas/index.js';
import { consoleReads } from './shared-routes.js';

/** Media type of lines of JSON. */
const linesType = 'application/x-ndjson; charset=utf-8';

const exportConversationRoute = ({ sql }: RouteContext): Route =>
  route({
    ...consoleReads,
    method: 'GET',
    url: '/console/api/conversations/{id}/export',
    operationId: 'consoleExportConversation',
    tag: 'Conversations',
    summary: 'A conversation as a file',
    description:
      'Text, Markdown, subtitles (SubRip and WebVTT), or JSON as in `consoleGetConversation`. The file is sent while it is read.',
    resource: { createdBy: 'createConversationFromSegments', foreign: 404 },
    errors: ['conversation_not_found'],
    path: idPath,
    query: z.object({ format: z.enum(exportFormats) }),
    file: {
      [exportTypes.txt]: 'A line for each segment.',
      [exportTypes.md]: 'A paragraph for each segment.',
      [exportTypes.srt]: 'SubRip subtitles.',
      [exportTypes.vtt]: 'WebVTT subtitles with the names of speakers.',
      [exportTypes.json]: conversationAnswer,
    },
    answerHeaders: { 'content-disposition': 'The name of the file.' },
    example: { path: { id: '8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55' }, query: { format: 'vtt' } },
    handle: async ({ caller, path, query }) => {
      const { name, type, parts } = await exportConversation(sql, caller.uid, path.id, query.format);
      return new FileInParts(type, attachmentOf(name), parts);
    },
  });

/** Maximum number of complete exports that one user may read at once from this process. */
const exportsOfUser = 1;

const onlyOnce = (action: () => void): (() => void) => {
  let isDone = false;
  return () => {
    if (!isDone) action();
    isDone = true;
  };
};

/** Yields the parts unchanged. Calls `ended` after the last part, because the connection may stay open longer. */
async function* untilRead(parts: AsyncIterable<Buffer>, ended: () => void): AsyncGenerator<Buffer> {
  yield* parts;
  ended();
}

const exportEverythingRoute = ({ sql, clock }: RouteContext): Route => {
  const running = new UserSums();
  return route({
    ...consoleReads,
    method: 'GET',
    url: '/console/api/export',
    operationId: 'consoleExportEverything',
    tag: 'User',
    summary: 'All conversations, people, memories, tasks, goals and folders as lines of JSON',
    description:
      'Each line is `{"type", "after", "record"}`. The last line has the type `end`. If the answer breaks off, send the request again with the `after` of the last complete line. A user reads one export at a time.',
    errors: ['export_running'],
    query: z.object({
      after: trimmed(1, 1000).optional().meta({
        description: 'Field `after` of the last complete line. The export continues behind it.',
      }),
    }),
    file: { [linesType]: 'Lines of JSON.' },
    answerHeaders: { 'content-disposition': 'The name of the file.' },
    example: {},
    handle: async ({ caller: { uid }, query, reply }) => {
      const parts = exportEverything(sql, uid, query.after);
      if (running.of(uid) >= exportsOfUser) throw new CochleaError('export_running');
      const leave = onlyOnce(() => running.add(uid, -1));
      running.add(uid, 1);
      reply.raw.once('close', leave);
      if (reply.raw.destroyed) leave();
      const day = new Date(clock.wall()).toISOString().slice(0, 10);
      return new FileInParts(linesType, attachmentOf(`cochlea ${day}.jsonl`), untilRead(parts, leave));
    },
  });
};

/** Returns the routes of exports. */
export const exportRoutes = (context: RouteContext): readonly Route[] => [
  exportConversationRoute(context),
  exportEverythingRoute(context),
];
