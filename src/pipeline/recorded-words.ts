import { randomUUID } from 'node:crypto';
import { findLateTarget, type LatePlace } from '../store/late-words.js';
import {
  endRecordings,
  postponeTranscribed,
  type RecordedWords,
  type TranscribedRecording,
  takeTranscribed,
} from '../store/recordings.js';
import { baseLanguage } from '../stt/index.js';
import { conversationTimeout } from '../wire/conversation-timeout.js';
import { speakerLabel } from '../wire/speaker-label.js';
import { storeLateWords } from './late-words.js';
import type { RecordingContext } from './recordings.js';

/** Ms of silence after which another conversation begins. */
const timeout = conversationTimeout.default * 1000;
/** Seconds before words are tried again whose conversation goes on, or waits for its summary. */
const openPause = 10;

/** Cuts what is sorted by its begin where nothing is for longer than a conversation's timeout. */
const byPauses = <Item>(
  sorted: readonly Item[],
  spanOf: (item: Item) => readonly [number, number],
): Item[][] => {
  const groups: Item[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const item of sorted) {
    const [from, to] = spanOf(item);
    if (from > end + timeout) groups.push([]);
    groups.at(-1)!.push(item);
    end = Math.max(end, to);
  }
  return groups;
};

const spanOf = ({ words }: TranscribedRecording): readonly [number, number] => [
  Math.min(...words.map(({ from }) => from)),
  Math.max(...words.map(({ to }) => to)),
];

/** Recordings whose words may share a conversation: those are stored together, however many files a client cut them into. */
const clustersOf = (recordings: readonly TranscribedRecording[]): TranscribedRecording[][] => {
  const sorted = [...recordings].sort((one, other) => spanOf(one)[0] - spanOf(other)[0]);
  const named = new Map<string, TranscribedRecording[]>();
  for (const recording of sorted) {
    const { conversation_id: id } = recording;
    if (id !== null) named.set(id, [...(named.get(id) ?? []), recording]);
  }
  return [
    ...byPauses(
      sorted.filter((one) => one.conversation_id === null),
      spanOf,
    ),
    ...named.values(),
  ];
};

class Open extends Error {}

/** Stores the words of recordings in their conversations, all of them or none, in the transaction that ends the recordings. */
const storeCluster = async (
  { sql, log }: RecordingContext,
  cluster: readonly TranscribedRecording[],
): Promise<void> => {
  const [{ uid, conversation_id: conversation, source: madeSource, language }] = cluster as [
    TranscribedRecording,
  ];
  const words = cluster.flatMap(({ words }) => words).sort((one, other) => one.from - other.from);
  const groups = conversation === null ? byPauses(words, ({ from, to }) => [from, to]) : [words];
  const ids = cluster.map(({ id }) => id);
  await sql.begin(async (transaction) => {
    const made: string[] = [];
    const updated: string[] = [];
    for (const group of groups) {
      const place: LatePlace = {
        uid,
        conversation,
        source: null,
        madeSource,
        device: null,
        platform: null,
        language: baseLanguage(language ?? ''),
        from: group[0]!.from,
        to: Math.max(...group.map(({ to }) => to)),
      };
      const { kind } = await findLateTarget(transaction, place);
      const id = await storeLateWords(transaction, place, group.map(segmentOf));
      if (id === undefined) throw new Open();
      if (id !== null) (kind === 'new' ? made : updated).push(id);
    }
    if (!(await endRecordings(transaction, ids, made, updated))) throw new Open();
    log.info({ recordings: ids.length, made, updated }, 'recordings are in their conversations');
  });
};

const segmentOf = ({ text, from, to, provider }: RecordedWords) => ({
  id: randomUUID(),
  text,
  speaker: speakerLabel(0),
  speakerId: 0,
  isUser: false,
  personId: null,
  provider,
  from,
  to,
});

/**
 * Puts the words of transcribed recordings of one user into their conversations.
 * @returns whether there were any.
 */
export const mergeRecordings = async (context: RecordingContext): Promise<boolean> => {
  const { sql, files } = context;
  const recordings = await takeTranscribed(sql, files.place);
  for (const cluster of clustersOf(recordings)) {
    try {
      await storeCluster(context, cluster);
    } catch (error) {
      if (!(error instanceof Open)) throw error;
      await postponeTranscribed(
        sql,
        cluster.map(({ id }) => id),
        openPause,
      );
    }
  }
  return recordings.length > 0;
};
