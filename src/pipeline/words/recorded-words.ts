import { randomUUID } from 'node:crypto';
import { finishInSlices } from '../../common/index.js';
import type { TransactionSql } from '../../store/client/index.js';
import {
  endRecordings,
  findLateTarget,
  type LatePlace,
  type LateTarget,
  lockLateWords,
  postponeTranscribed,
  type RecordedWords,
  storedSegments,
  type TranscribedRecording,
  takeTranscribed,
} from '../../store/conversations/index.js';
import { baseLanguage } from '../../stt/providers/index.js';
import { type TimedText, withoutDuplicates } from '../../transcript/duplicates/index.js';
import { conversationTimeout, speakerLabel } from '../../wire/index.js';
import { recordingClocks } from '../../wire/records/index.js';
import { storeLateWords } from './late-words.js';
import type { RecordingContext } from './recordings.js';

/** Ms of silence after which a new conversation begins. */
const timeout = conversationTimeout.default * 1000;
/**
 * Seconds until the next attempt to store words. Words wait while their conversation is in progress or waits for its
 * summary.
 */
const openPause = 10;

/**
 * Splits items at every pause that is longer than a conversation's timeout. The items must be sorted by their start.
 */
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

/**
 * Groups recordings whose words may belong to one conversation. All recordings of a group are stored together, because
 * a client may divide one conversation into many files. Recordings of a device without a clock get separate
 * conversations, unless the client named a conversation.
 */
const clustersOf = (recordings: readonly TranscribedRecording[]): TranscribedRecording[][] => {
  const sorted = [...recordings].sort((one, other) => spanOf(one)[0] - spanOf(other)[0]);
  const named = new Map<string, TranscribedRecording[]>();
  for (const recording of sorted) {
    const { conversation_id: id } = recording;
    if (id !== null) named.set(id, [...(named.get(id) ?? []), recording]);
  }
  const unnamed = sorted.filter((one) => one.conversation_id === null);
  const byClock = recordingClocks.flatMap((clock) =>
    byPauses(
      unnamed.filter((one) => one.clock === clock),
      spanOf,
    ),
  );
  return [...byClock, ...named.values()];
};

class Open extends Error {}

/** Returns the words of a cluster by time, without repetitions. Overlapping files of a client contain the same audio twice. */
const wordsOf = async (cluster: readonly TranscribedRecording[]): Promise<RecordedWords[]> => {
  const [first, ...others] = cluster.map(({ words }) => words.toSorted(byBegin));
  const all = [...(first ?? [])];
  for (const words of others) {
    all.push(...(await newWords(all, words)));
    all.sort(byBegin);
  }
  return all;
};

const byBegin = (one: TimedText, other: TimedText): number => one.from - other.from;

/** Stores the words of recordings in their conversations, in the transaction that ends the recordings. Stores all of them or none. */
const storeCluster = async (
  { sql, log }: RecordingContext,
  cluster: readonly TranscribedRecording[],
): Promise<void> => {
  const [{ uid, conversation_id: conversation, source: madeSource, language }] = cluster as [
    TranscribedRecording,
  ];
  const clock = cluster.some((one) => one.clock === 'upload') ? 'upload' : 'device';
  const words = await wordsOf(cluster);
  const groups = conversation === null ? byPauses(words, ({ from, to }) => [from, to]) : [words];
  const ids = cluster.map(({ id }) => id);
  await sql.begin(async (transaction) => {
    const made: string[] = [];
    const updated: string[] = [];
    await lockLateWords(transaction, uid);
    for (const group of groups) {
      const place: LatePlace = {
        uid,
        conversation,
        source: null,
        madeSource,
        device: null,
        platform: null,
        language: baseLanguage(language ?? ''),
        clock,
        ...spanned(group),
      };
      const { kind, id } = await storeGroup(transaction, place, group);
      if (id === undefined) throw new Open();
      if (id !== null) (kind === 'new' ? made : updated).push(id);
    }
    if (!(await endRecordings(transaction, ids, made, updated))) throw new Open();
    log.info(
      { recordings: ids.length, made, updated },
      'the words of recordings are stored in conversations',
    );
  });
};

const spanned = (words: readonly RecordedWords[]): { readonly from: number; readonly to: number } => ({
  from: Math.min(...words.map(({ from }) => from)),
  to: Math.max(...words.map(({ to }) => to)),
});

/**
 * Stores the words of recordings that belong to one conversation. Skips words that the conversation already has from a
 * stream or another file.
 * @returns the kind of conversation that was found for the words, and the result of `storeLateWords`.
 */
const storeGroup = async (
  sql: TransactionSql,
  place: LatePlace,
  group: readonly RecordedWords[],
): Promise<{ readonly kind: LateTarget['kind']; readonly id: string | null | undefined }> => {
  const target = await findLateTarget(sql, place);
  const { kind } = target;
  if (target.kind !== 'found') return { kind, id: await storeLateWords(sql, place, group.map(segmentOf)) };
  const { id, started_at: startedAt } = target.row;
  const known = (await storedSegments(sql, id)).map(({ segment: { text, start, end } }): TimedText => {
    const begun = startedAt?.getTime() ?? place.from;
    return { text, from: begun + start * 1000, to: begun + end * 1000 };
  });
  const words = await newWords(known, group);
  if (words.length === 0) return { kind, id };
  const found: LatePlace = { ...place, conversation: id, ...spanned(words) };
  return { kind, id: await storeLateWords(sql, found, words.map(segmentOf)) };
};

/** Returns words without those that repeat known words. */
const newWords = async (
  known: readonly TimedText[],
  words: readonly RecordedWords[],
): Promise<RecordedWords[]> => {
  const { kept } = await finishInSlices(withoutDuplicates(known.toSorted(byBegin), words));
  return kept.map(({ source, text, from, to }) => ({ ...source, text, from, to }));
};

const segmentOf = ({ text, from, to, provider, model }: RecordedWords) => ({
  id: randomUUID(),
  text,
  speaker: speakerLabel(0),
  speakerId: 0,
  isUser: false,
  personId: null,
  provider,
  model,
  from,
  to,
});

/**
 * Stores the words of one user's transcribed recordings in their conversations.
 * @returns whether there were any recordings to store.
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
