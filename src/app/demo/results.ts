import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient, Schemas } from '../../client/index.js';
import { CochleaError } from '../../errors/index.js';
import { segmentLine } from '../listen/index.js';

const pollInterval = 250;

/** A conversation with its tasks and memories, as an application reads it. */
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

/** Returns the data of an answer. @throws CochleaError `connection_failed` for a status of 400 and above. */
const dataOf = <Data>({ data, error, response }: Answer<Data>): Data => {
  if (data !== undefined) return data;
  throw new CochleaError('connection_failed', {
    url: response.url,
    why: `HTTP ${response.status} ${JSON.stringify(error)}`,
  });
};

/** Reads the current state of a conversation, its tasks and the memories of its user. */
const readFound = async (client: ApiClient, id: string): Promise<Found> => ({
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
 * Waits for the tasks and memories of a conversation. After `timeout` ms it returns the tasks and memories that exist
 * by then.
 */
export const awaitFound = async (client: ApiClient, id: string, timeout: number): Promise<Found> => {
  const latest = performance.now() + timeout;
  for (;;) {
    const found = await readFound(client, id);
    const isThere = found.tasks.length > 0 && found.memories.length > 0;
    if (isThere || performance.now() > latest) return found;
    await sleep(pollInterval);
  }
};

/** Prints the summary, tasks and memories of a conversation. */
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
