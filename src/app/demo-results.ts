import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient, Schemas } from '../client/index.js';
import { CochleaError } from '../errors/index.js';
import { segmentLine } from './segment-printer.js';

/**
 * What the demo says as text. The recorded speech is from a novel, in which no task is taken on and its reader says nothing about
 * himself, and no freely licensed recording of such sentences was found.
 */
const notes = [
  'So I had a call with Anna about the roof this morning.',
  'It is, um, leaking again above the kitchen, and the roofer wants four thousand euros.',
  "I'll send Anna the insurance papers on Friday.",
  'My daughter Ella starts school in September and the roof has to be tight before that.',
];
/** Seconds that each of them takes. */
const noteDuration = 4;

/** Ms that the steps after a summary may take. */
const stepsTimeout = 30_000;
const pollInterval = 250;

/** A conversation with what was found in it, as an application reads it. */
export interface Found {
  readonly conversation: Schemas['DeveloperConversation'];
  readonly tasks: readonly Schemas['DeveloperActionItem'][];
  readonly memories: readonly Schemas['DeveloperMemory'][];
}

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** The data of an answer. @throws CochleaError `connection_failed` for a status of 400 and above. */
const dataOf = <Data>({ data, error, response }: Answer<Data>): Data => {
  if (data !== undefined) return data;
  throw new CochleaError('connection_failed', {
    url: response.url,
    why: `HTTP ${response.status} ${JSON.stringify(error)}`,
  });
};

/** Creates a conversation from text, and resolves with its id. */
export const sendNotes = async (client: ApiClient): Promise<string> => {
  const segments = notes.map((text, index) => ({
    text,
    start: index * noteDuration,
    end: (index + 1) * noteDuration,
    is_user: true,
  }));
  const { id } = dataOf(
    await client.POST('/v1/dev/user/conversations/from-segments', {
      body: { transcript_segments: segments },
    }),
  );
  return id;
};

/** Reads a conversation as it is now, with the memories of its user. */
export const readFound = async (client: ApiClient, id: string): Promise<Found> => ({
  conversation: dataOf(
    await client.GET('/v1/dev/user/conversations/{id}', {
      params: { path: { id }, query: { include_transcript: true } },
    }),
  ),
  tasks: dataOf(
    await client.GET('/v1/dev/user/action-items', { params: { query: { conversation_id: id } } }),
  ),
  memories: dataOf(await client.GET('/v1/dev/user/memories')),
});

/**
 * Reads a conversation when its tasks and memories are there, after a timeout as far as they are; its memories are those that were
 * not there `before`.
 */
export const awaitFound = async (client: ApiClient, id: string, before: Found): Promise<Found> => {
  const latest = performance.now() + stepsTimeout;
  const known = new Set(before.memories.map((memory) => memory.id));
  for (;;) {
    const { memories, ...found } = await readFound(client, id);
    const fresh = memories.filter((memory) => !known.has(memory.id));
    if ((found.tasks.length > 0 && fresh.length > 0) || performance.now() > latest) {
      return { ...found, memories: fresh };
    }
    await sleep(pollInterval);
  }
};

/** Prints what was found in a conversation. */
export const showFound = ({ conversation, tasks, memories }: Found, say: (line: string) => void): void => {
  const { structured, folder_name: folder } = conversation;
  const described = tasks.map(({ description, due_at: due }) =>
    due === null ? description : `${description} (${due})`,
  );
  say(`Saved conversation: ${structured.title}`);
  say(`  ${structured.overview}`);
  say(`  Category: ${structured.category}, folder: ${folder ?? 'none'}`);
  if (tasks.length > 0) say(`  Tasks: ${described.join('; ')}`);
  if (memories.length > 0) say(`  Memories: ${memories.map(({ content }) => content).join('; ')}`);
};

/** Prints the transcript of a conversation. */
export const showTranscript = ({ conversation }: Found, say: (line: string) => void): void => {
  for (const segment of conversation.transcript_segments ?? []) {
    const { speaker_id: id, speaker_name: name, text, start, end } = segment;
    say(`  ${segmentLine({ text, start, end, speaker: name ?? `Speaker ${id ?? 0}` })}`);
  }
};
