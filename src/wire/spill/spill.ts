import protobuf from 'protobufjs';
import type { AudioPosition, LiveSegment } from '../index.js';

/**
 * Encodes journal entries as protobuf. The entries are stored in files while the database is unreachable. The next
 * release must be able to read entries of this release, so field numbers are never reused.
 */

/**
 * Initial values of a conversation. Every spilled change contains these values, so that the conversation's row can be
 * inserted again if it was removed.
 */
export interface BegunConversation {
  readonly id: string;
  readonly uid: string;
  readonly source: string;
  readonly deviceId: string | null;
  readonly clientPlatform: string | null;
  readonly language: string;
  /** Number of seconds of silence after which the conversation ends. */
  readonly timeout: number;
  readonly usesCustomStt: boolean;
  /** Creation time by wall clock, ms since the epoch. */
  readonly createdAt: number;
}

/** Speech time of each language in a conversation. */
export interface SpokenTimes {
  /** Code of the language that was spoken longest. */
  readonly language: string;
  /** Milliseconds of speech by language code. */
  readonly times: Readonly<Record<string, number>>;
}

/** A row of `segments`; `segment` is null for a tombstone. */
export interface SegmentRow {
  readonly id: string;
  readonly position: number;
  readonly revision: number;
  readonly segment: LiveSegment | null;
}

export interface SpilledChange {
  readonly conversation: BegunConversation;
  readonly epoch: number;
  /** Wall clock at time 0 of the segments, in ms since the epoch; null while no segment exists. */
  readonly startedAt: number | null;
  readonly lastSpeechAt: number;
  /** Mean speech probability of the segments; null if unknown. */
  readonly speechProbability: number | null;
  /** Spoken languages of the whole conversation; null if they need not be stored. */
  readonly spoken: SpokenTimes | null;
  /** Position in the device's recording after this change; null or absent if the device sends no positions. */
  readonly audio?: AudioPosition | null;
  /** Whether the devices send the audio again if these words are not acknowledged. This field is not encoded. */
  readonly resends?: boolean;
  readonly rows: readonly SegmentRow[];
}

export type SpillEntry =
  | { readonly kind: 'begin'; readonly conversation: BegunConversation }
  | { readonly kind: 'commit'; readonly changes: readonly SpilledChange[] }
  | { readonly kind: 'finish'; readonly id: string; readonly epoch: number; readonly finishedAt: number }
  | { readonly kind: 'release'; readonly id: string; readonly epoch: number };

const field = (type: string, id: number, rule?: 'repeated') => ({ type, id, ...(rule ? { rule } : {}) });

const root = protobuf.Root.fromJSON({
  nested: {
    Begun: {
      fields: {
        id: field('string', 1),
        uid: field('string', 2),
        source: field('string', 3),
        deviceId: field('string', 4),
        clientPlatform: field('string', 5),
        language: field('string', 6),
        timeout: field('uint32', 7),
        usesCustomStt: field('bool', 8),
        createdAt: field('double', 9),
      },
    },
    Translation: { fields: { lang: field('string', 1), text: field('string', 2) } },
    Segment: {
      fields: {
        text: field('string', 1),
        speaker: field('string', 2),
        speakerId: field('int32', 3),
        isUser: field('bool', 4),
        personId: field('string', 5),
        start: field('double', 6),
        end: field('double', 7),
        translations: field('Translation', 8, 'repeated'),
        speechProfileProcessed: field('bool', 9),
        sttProvider: field('string', 10),
        sttModel: field('string', 11),
      },
    },
    Row: {
      fields: {
        id: field('string', 1),
        position: field('double', 2),
        revision: field('double', 3),
        segment: field('Segment', 4),
      },
    },
    Change: {
      fields: {
        conversation: field('Begun', 1),
        epoch: field('double', 2),
        startedAt: field('double', 3),
        lastSpeechAt: field('double', 4),
        rows: field('Row', 5, 'repeated'),
        speechProbability: field('double', 6),
        spoken: field('Spoken', 7),
        audioClock: field('string', 8),
        audioConfirmed: field('double', 9, 'repeated'),
        // Earlier releases skip the next three fields, so they store the words even if the device has sent the audio of
        // these words again.
        audioStream: field('uint32', 10),
        audioSince: field('double', 11, 'repeated'),
        audioAfter: field('double', 12, 'repeated'),
        audioBegan: field('double', 13),
      },
    },
    Spoken: {
      fields: {
        language: field('string', 1),
        codes: field('string', 2, 'repeated'),
        milliseconds: field('double', 3, 'repeated'),
      },
    },
    Commit: { fields: { changes: field('Change', 1, 'repeated') } },
    Finish: { fields: { id: field('string', 1), epoch: field('double', 2), finishedAt: field('double', 3) } },
    Release: { fields: { id: field('string', 1), epoch: field('double', 2) } },
    Entry: {
      oneofs: { operation: { oneof: ['begin', 'commit', 'finish', 'release'] } },
      fields: {
        begin: field('Begun', 1),
        commit: field('Commit', 2),
        finish: field('Finish', 3),
        release: field('Release', 4),
      },
    },
    // Entries of all releases, also of later releases, have this field at the same place: next to the operation.
    Version: { fields: { readableFrom: field('uint32', 15) } },
  },
});
const entryType = root.lookupType('Entry');
const versionType = root.lookupType('Version');

/**
 * Version of the format that this release reads. If earlier releases would misread entries of a new release, the new
 * release raises this version and writes it to these entries as `readableFrom`. Every release can read entries without
 * this field.
 */
const formatVersion = 1;

type Plain = Record<string, unknown>;

/** Encodes an entry. Texts that are null are omitted, and `decodeSpillEntry` restores them as null. */
export const encodeSpillEntry = (entry: SpillEntry): Uint8Array =>
  entryType.encode(entryType.fromObject(plainEntry(entry))).finish();

const plainEntry = (entry: SpillEntry): Plain => {
  switch (entry.kind) {
    case 'begin':
      return { begin: present(entry.conversation) };
    case 'commit':
      return { commit: { changes: entry.changes.map(plainChange) } };
    case 'finish':
      return { finish: { id: entry.id, epoch: entry.epoch, finishedAt: entry.finishedAt } };
    case 'release':
      return { release: { id: entry.id, epoch: entry.epoch } };
  }
};

const plainChange = ({ audio, resends: _, ...change }: SpilledChange): Plain =>
  present({
    ...change,
    audioClock: audio?.clock,
    audioConfirmed: audio?.confirmed,
    audioStream: audio?.newest?.stream,
    audioSince: audio?.newest?.since,
    audioAfter: audio?.newest?.after,
    audioBegan: audio?.began,
    conversation: present(change.conversation),
    spoken: change.spoken === null ? null : plainSpoken(change.spoken),
    rows: change.rows.map(({ segment, ...row }) =>
      segment === null ? row : { ...row, segment: plainSegment(segment) },
    ),
  });

const plainSpoken = ({ language, times }: SpokenTimes): Plain => ({
  language,
  codes: Object.keys(times),
  milliseconds: Object.values(times),
});

const plainSegment = (segment: LiveSegment): Plain =>
  present({
    text: segment.text,
    speaker: segment.speaker,
    speakerId: segment.speaker_id,
    isUser: segment.is_user,
    personId: segment.person_id,
    start: segment.start,
    end: segment.end,
    translations: segment.translations,
    speechProfileProcessed: segment.speech_profile_processed,
    sttProvider: segment.stt_provider,
    sttModel: segment.stt_model,
  });

const present = (value: object): Plain =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null && item !== undefined));

/** Decodes an entry. @throws if the bytes are not an entry */
export const decodeSpillEntry = (bytes: Uint8Array): SpillEntry => {
  const plain = entryType.toObject(entryType.decode(bytes), { arrays: true }) as Plain;
  if (plain.begin) return { kind: 'begin', conversation: readBegun(plain.begin as Plain) };
  if (plain.commit) {
    return { kind: 'commit', changes: ((plain.commit as Plain).changes as Plain[]).map(readChange) };
  }
  if (plain.finish) {
    const finish = plain.finish as Plain;
    return {
      kind: 'finish',
      id: text(finish.id),
      epoch: number(finish.epoch),
      finishedAt: number(finish.finishedAt),
    };
  }
  if (plain.release) {
    const release = plain.release as Plain;
    return { kind: 'release', id: text(release.id), epoch: number(release.epoch) };
  }
  throw new Error('spill entry of an unknown kind');
};

// The encoding omits fields with default values, so these functions restore the defaults.
const text = (value: unknown): string => (value as string | undefined) ?? '';
const number = (value: unknown): number => (value as number | undefined) ?? 0;
const flag = (value: unknown): boolean => (value as boolean | undefined) ?? false;
const optionalText = (value: unknown): string | null => (value as string | undefined) || null;

const readBegun = (plain: Plain): BegunConversation => ({
  id: text(plain.id),
  uid: text(plain.uid),
  source: text(plain.source),
  deviceId: optionalText(plain.deviceId),
  clientPlatform: optionalText(plain.clientPlatform),
  language: text(plain.language),
  timeout: number(plain.timeout),
  usesCustomStt: flag(plain.usesCustomStt),
  createdAt: number(plain.createdAt),
});

const readChange = (plain: Plain): SpilledChange => ({
  conversation: readBegun(plain.conversation as Plain),
  epoch: number(plain.epoch),
  startedAt: (plain.startedAt as number | undefined) ?? null,
  lastSpeechAt: number(plain.lastSpeechAt),
  speechProbability: (plain.speechProbability as number | undefined) ?? null,
  spoken: plain.spoken === undefined ? null : readSpoken(plain.spoken as Plain),
  audio: readAudio(plain),
  rows: (plain.rows as Plain[]).map(readRow),
});

const readAudio = (plain: Plain): AudioPosition | null => {
  const { audioClock, audioConfirmed, audioStream, audioSince, audioAfter, audioBegan } = plain;
  const clock = optionalText(audioClock);
  if (clock === null) return null;
  const began = audioBegan as number | undefined;
  const position = {
    clock,
    confirmed: audioConfirmed as number[],
    ...(began === undefined ? {} : { began }),
  };
  const stream = number(audioStream);
  const newest = { stream, since: audioSince as number[], after: audioAfter as number[] };
  return stream === 0 ? position : { ...position, newest };
};

const readSpoken = ({ language, codes, milliseconds }: Plain): SpokenTimes => ({
  language: text(language),
  times: Object.fromEntries(
    (codes as string[]).map((code, index) => [code, (milliseconds as number[])[index] ?? 0]),
  ),
});

const readRow = (plain: Plain): SegmentRow => {
  const id = text(plain.id);
  const segment = plain.segment as Plain | undefined;
  return {
    id,
    position: number(plain.position),
    revision: number(plain.revision),
    segment: segment === undefined ? null : readSegment(id, segment),
  };
};

const readSegment = (id: string, plain: Plain): LiveSegment => ({
  id,
  text: text(plain.text),
  speaker: text(plain.speaker),
  speaker_id: number(plain.speakerId),
  is_user: flag(plain.isUser),
  person_id: optionalText(plain.personId),
  start: number(plain.start),
  end: number(plain.end),
  translations: (plain.translations as Plain[]).map((item) => ({
    lang: text(item.lang),
    text: text(item.text),
  })),
  speech_profile_processed: flag(plain.speechProfileProcessed),
  stt_provider: optionalText(plain.sttProvider),
  stt_model: optionalText(plain.sttModel),
});

/**
 * Checks whether only a newer program can read an entry. If so, the caller must leave the entry for the newer program.
 */
export const isNewerEntry = (bytes: Uint8Array): boolean => {
  try {
    const { readableFrom } = versionType.toObject(versionType.decode(bytes)) as { readableFrom?: number };
    return (readableFrom ?? 0) > formatVersion;
  } catch {
    return false;
  }
};

/** Reads an entry that may be damaged. @returns undefined if the entry is damaged. */
export const readSpillEntry = (bytes: Uint8Array): SpillEntry | undefined => {
  try {
    return decodeSpillEntry(bytes);
  } catch {
    return undefined;
  }
};
