import type { Schemas } from '../../client/index.js';
import { answered } from '../api/index.js';
import type {
  ConversationChange,
  ConversationListOptions,
  SegmentsOptions,
  TextOptions,
} from '../arguments/index.js';
import type { Column } from '../output/index.js';
import type { Session } from '../session/index.js';
import { CommandFailure } from '../terminal/index.js';
import { changes, confirmed, creation, jsonFile, printFound, printList, textArgument } from './support.js';

type Conversation = Schemas['DeveloperConversation'];

/** Conversations of one page, at most, without and with what was said. */
const page = 100;
const pageWithTranscript = 25;
const path = '/v1/dev/user/conversations';
const byId = '/v1/dev/user/conversations/{id}';

const columns: readonly Column[] = [
  { head: 'id', value: (row: Conversation) => row.id },
  { head: 'title', value: (row: Conversation) => row.structured?.title, width: 50 },
  { head: 'category', value: (row: Conversation) => row.structured?.category },
  { head: 'starred', value: (row: Conversation) => (row.starred ? '*' : '') },
  { head: 'started', value: (row: Conversation) => row.started_at },
];

const clock = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(Number(seconds) || 0));
  return [whole / 3600, (whole / 60) % 60, whole % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');
};

/** A conversation as a table shows it: its summary without nesting, what was said one line a segment. */
const fieldsOf = (conversation: Conversation): Record<string, unknown> => {
  const { id, structured, transcript_segments: said, geolocation, ...rest } = conversation;
  const { title, overview, category, emoji, action_items: items = [], events = [] } = structured ?? {};
  return {
    id,
    title: [emoji, title].filter((part) => part).join(' '),
    overview,
    category,
    ...rest,
    ...(geolocation && { place: geolocation.address ?? `${geolocation.latitude}, ${geolocation.longitude}` }),
    ...(items.length > 0 && {
      action_items: items.map((item) => `${item.completed ? '[x]' : '[ ]'} ${item.description}`).join('\n'),
    }),
    ...(events.length > 0 && {
      events: events.map((event) => `${event.start} ${event.title}`).join('\n'),
    }),
    ...(Array.isArray(said) && {
      transcript: said
        .map(({ start, speaker_name: name, text }) => `${clock(start)} ${name}: ${text}`)
        .join('\n'),
    }),
  };
};

export const listConversations = async (
  session: Session,
  options: ConversationListOptions,
): Promise<void> => {
  const api = await session.api();
  const starred = options.notStarred ? false : options.starred;
  const transcript = options.includeTranscript === true;
  const filter = {
    include_transcript: transcript,
    ...(starred !== undefined && { starred }),
    ...(options.categories && { categories: options.categories }),
    ...(options.folderId && { folder_id: options.folderId }),
    ...((options.since ?? options.startDate) && { start_date: options.since ?? options.startDate }),
    ...(options.endDate && { end_date: options.endDate }),
  };
  await printList<Conversation>(session, options, {
    columns,
    page: transcript ? pageWithTranscript : page,
    ask: (query) => api.GET(path, { params: { query: { ...query, ...filter } } }),
  });
};

const show = (session: Session, conversation: Conversation): Promise<void> =>
  session.print.record(conversation, fieldsOf(conversation));

export const getConversation = async (
  session: Session,
  id: string,
  { includeTranscript = false }: { includeTranscript?: boolean },
): Promise<void> => {
  const api = await session.api();
  const params = { path: { id }, query: { include_transcript: includeTranscript } };
  await show(session, answered(await api.GET(byId, { params })));
};

export const searchConversations = async (
  session: Session,
  query: string,
  { limit }: { limit: number },
): Promise<void> => {
  const api = await session.api();
  const found = answered(
    await api.GET('/v1/dev/user/conversations/vector/search', { params: { query: { query, limit } } }),
  );
  await printFound(session, found, columns);
};

const origin = ({ startedAt, finishedAt, language }: TextOptions | SegmentsOptions) => ({
  language,
  ...(startedAt && { started_at: startedAt }),
  ...(finishedAt && { finished_at: finishedAt }),
});

/** Prints what creating a conversation was answered. A transcript with nothing worth keeping is discarded, which is no error. */
const created = async (session: Session, answer: Schemas['ConversationCreateResponse']): Promise<void> => {
  await session.print.record(answer);
  if (answer.discarded) await session.print.info('It holds nothing worth keeping, and is not listed.');
};

export const createConversation = async (session: Session, options: TextOptions): Promise<void> => {
  const { text: given, textSource, textSourceSpec } = options;
  if (given === undefined && session.io.stdin.isTTY)
    throw new CommandFailure('refused', 'The text is missing: give it with --text, or pipe it in.');
  const text = await textArgument(session, given ?? '-', 'text');
  const api = await session.api();
  const body = {
    text,
    text_source: textSource as never,
    ...(textSourceSpec !== undefined && { text_source_spec: textSourceSpec }),
    ...origin(options),
  };
  await created(session, answered(await api.POST(path, { params: creation(options), body })));
};

export const createFromSegments = async (
  session: Session,
  file: string,
  options: SegmentsOptions,
): Promise<void> => {
  const given = await jsonFile(session, file);
  const segments = Array.isArray(given)
    ? given
    : (given as { transcript_segments?: unknown } | null)?.transcript_segments;
  if (!Array.isArray(segments))
    throw new CommandFailure('refused', `${file} has to hold a list of segments, or "transcript_segments".`);
  const api = await session.api();
  const body = {
    transcript_segments: segments as never,
    ...(options.source !== undefined && { source: options.source }),
    ...origin(options),
  };
  const params = creation(options);
  await created(session, answered(await api.POST(`${path}/from-segments`, { params, body })));
};

export const updateConversation = async (
  session: Session,
  id: string,
  { title, discarded, starred, folder }: ConversationChange,
): Promise<void> => {
  const body = changes({ title, discarded, starred, folder_id: folder === false ? null : folder });
  const api = await session.api();
  const conversation = answered(await api.PATCH(byId, { params: { path: { id } }, body }));
  // The answer has what was said, which a table would drown in.
  await session.print.record(conversation, fieldsOf({ ...conversation, transcript_segments: null }));
};

export const deleteConversation = async (
  session: Session,
  id: string,
  { yes }: { yes?: boolean },
): Promise<void> => {
  const api = await session.api();
  await confirmed(session, `Delete conversation ${id} with everything that was said in it?`, yes);
  const answer = answered(await api.DELETE(byId, { params: { path: { id } } }));
  await session.print.deleted(`conversation ${id}`, answer);
};
