/**
 * Role of a field in a row:
 * - a `dimension` is a condition of the measurement. Rows of two reports are compared if their dimensions are equal;
 * - a `cost` is a result. Comparisons judge its changes;
 * - a `note` is only information.
 */
export type Kind = 'dimension' | 'cost' | 'note';

/** The direction in which a cost improves. */
export type Better = 'lower' | 'higher';

export interface Field {
  readonly kind: Kind;
  readonly type: 'text' | 'number' | 'flag' | 'counts';
  /** Title of the column in tables for humans, and of the axis of a plot. */
  readonly title: string;
  /** Unit of a number: `ms`, `us`, `ns`, `KB`, `B`, `Hz`, `/s`, `KB/min`, `cores`; empty for counts and shares. */
  readonly unit: string;
  readonly better?: Better;
  /**
   * Whether the field counts random events. The significance of a change then follows from how such counts scatter, not
   * from a ratio.
   */
  readonly events?: boolean;
  /**
   * Minimum relative difference that counts as a change; default 0.02. It is higher for tails and capacities, because
   * they vary more between runs than means.
   */
  readonly least?: number;
  /**
   * Minimum absolute difference that counts as a change, in the unit of the field. Clock and histogram cannot resolve
   * smaller differences.
   */
  readonly floor?: number;
}

const dimension = <Type extends 'text' | 'number'>(type: Type, title: string, unit = '') =>
  ({ kind: 'dimension', type, title, unit }) as const;
const note = <Type extends Field['type']>(type: Type, title: string, unit = '') =>
  ({ kind: 'note', type, title, unit }) as const;
const cost = (title: string, unit: string, floor = 0, least = 0.02) =>
  ({ kind: 'cost', type: 'number', title, unit, better: 'lower', floor, least }) as const;
const gain = (title: string, unit: string, least = 0.02) =>
  ({ kind: 'cost', type: 'number', title, unit, better: 'higher', least }) as const;
/** Defines a cost that is a percentile of durations, in ms. */
const percentile = (title: string, floor: number, least: number) => cost(title, 'ms', floor, least);
const events = (title: string) =>
  ({ kind: 'cost', type: 'number', title, unit: '', better: 'lower', events: true }) as const;

/**
 * Every field that a row of a report may have, in the order of the columns. A cost `x` may have a field `x_spread`: the
 * interquartile range of the values with the median `x`.
 */
export const fields = {
  suite: dimension('text', 'Suite'),
  contender: dimension('text', 'Contender'),
  version: note('text', 'Version'),
  isa: dimension('text', 'Instruction set'),
  /** Number of windows, frames, vectors or segments in one call. */
  batch: dimension('number', 'Batch'),
  codec: dimension('text', 'Codec'),
  material: dimension('text', 'Material'),
  /** Description of a load's simulated network; absent if there are no network effects. */
  network: dimension('text', 'Network'),
  /** Name of the stub or destination that replaces the transcriber. */
  stt: dimension('text', 'Transcriber'),
  rate: dimension('number', 'Rate', 'Hz'),
  channels: dimension('number', 'Channels'),
  frame_ms: dimension('number', 'Frame', 'ms'),
  mode: dimension('text', 'Mode'),
  /**
   * The requested number of streams as the user wrote it, `200` or `70%`. Comparisons use `asked` instead of `streams`.
   */
  asked: dimension('text', 'Asked'),
  streams: dimension('number', 'Streams'),
  /** Share of all words that the row describes: `1 %` means the slowest one percent. */
  slowest: dimension('text', 'Slowest'),
  /** The wait that makes up the longest part of the lag of late words. */
  wait: dimension('text', 'Longest wait'),
  /** Number of streams divided by the contender's own capacity. */
  load: note('number', 'Load'),
  shards: dimension('number', 'Shards'),
  connections: dimension('number', 'Connections'),
  /** Method and path of an HTTP request. */
  route: dimension('text', 'Route'),
  /** Number of accounts that send requests at the same time as the measured account. */
  accounts: dimension('number', 'Accounts'),
  /** Number of conversations in the database before the measurement. */
  conversations: dimension('number', 'Conversations'),
  /** Number of segments in the database before the measurement. */
  segments: dimension('number', 'Segments'),
  /** The service level that defines a capacity: `p99_frame_to_vad_ms<=100`. */
  service_level: dimension('text', 'Service level'),

  us_per_window: cost('CPU a window', 'us'),
  ns_per_frame: cost('CPU a frame', 'ns'),
  /** The part of `ns_per_frame` that the writing thread takes, as wall time. */
  producer_ns_per_frame: cost('Writer a frame', 'ns'),
  us_per_call: cost('CPU a call', 'us'),
  /**
   * CPU time of the server with all threads and children, per second of audio that was decoded and passed to the
   * detector.
   */
  cpu_ms_per_stream_s: cost('CPU a stream-second', 'ms'),
  /** `cpu_ms_per_stream_s` for 24 hours of audio. */
  cpu_s_per_wearer_day: cost('CPU a wearer-day', 's'),
  /**
   * CPU time of the other processes (database, sidecar, supervisor). It is divided by the same seconds of audio as
   * `cpu_ms_per_stream_s`.
   */
  others_cpu_ms_per_stream_s: cost('CPU of others a stream-second', 'ms', 0.02, 0.1),
  /** Number of frames that were processed per second of wall time. */
  frames_per_s: gain('Frames', '/s'),
  heap_bytes_per_frame: cost('Heap a frame', 'B', 8),
  bytes_per_stream: cost('Memory a stream', 'B'),
  /** Growth in resident memory of the process per stream. The audio of open utterances is included. */
  resident_bytes_per_stream: cost('Resident memory a stream', 'B'),
  /**
   * Resident memory per stream, beyond that of a server without streams. The bounded speech buffers are not included.
   */
  rss_kb_per_stream: cost('Memory a stream', 'KB', 0, 0.05),
  /** Resident memory per stream, beyond that of a server without streams. The speech buffers are included. */
  rss_with_speech_kb_per_stream: cost('Memory a stream, with speech', 'KB', 0, 0.05),
  rss_kb: cost('Memory', 'KB', 0, 0.05),
  rss_slope_kb_per_min: cost('Memory growth', 'KB/min', 10),
  p50_frame_to_vad_ms: percentile('Frame to VAD, p50', 0.5, 0.05),
  p90_frame_to_vad_ms: percentile('Frame to VAD, p90', 0.5, 0.1),
  p99_frame_to_vad_ms: percentile('Frame to VAD, p99', 0.5, 0.2),
  p99_9_frame_to_vad_ms: percentile('Frame to VAD, p99.9', 0.5, 0.5),
  max_frame_to_vad_ms: percentile('Frame to VAD, largest', 0.5, 1),
  p50_segment_lag_ms: percentile('Segment lag, p50', 1, 0.05),
  p90_segment_lag_ms: percentile('Segment lag, p90', 1, 0.1),
  p95_segment_lag_ms: percentile('Segment lag, p95', 1, 0.1),
  p99_segment_lag_ms: percentile('Segment lag, p99', 1, 0.2),
  p99_9_segment_lag_ms: percentile('Segment lag, p99.9', 1, 0.5),
  max_segment_lag_ms: percentile('Segment lag, largest', 1, 1),
  /** Time from the end of a word until a client shows the word's final form. */
  p50_word_lag_ms: percentile('Word lag, p50', 50, 0.05),
  p95_word_lag_ms: percentile('Word lag, p95', 100, 0.1),
  p99_word_lag_ms: percentile('Word lag, p99', 200, 0.2),
  /** Time from the end of an utterance until a client shows the final form of all its words. */
  p50_text_lag_ms: percentile('Final text, p50', 50, 0.05),
  p95_text_lag_ms: percentile('Final text, p95', 100, 0.1),
  /** Difference between a reported word end and the word end of a forced alignment. */
  p50_word_end_error_ms: percentile('Word end, p50', 10, 0.1),
  p90_word_end_error_ms: percentile('Word end, p90', 10, 0.1),
  /** Number of words per hundred that were shown and later changed or removed. */
  revisions_per_100_words: cost('Revisions a hundred words', '', 0.5),
  /** Time from the kill of a part until a word is acknowledged to a client that lost its connection. */
  p50_kill_to_word_ms: percentile('Kill to word, p50', 50, 0.1),
  p95_kill_to_word_ms: percentile('Kill to word, p95', 100, 0.2),
  p99_kill_to_word_ms: percentile('Kill to word, p99', 200, 0.3),
  p50_connect_ms: percentile('Connect, p50', 0.1, 0.05),
  p99_connect_ms: percentile('Connect, p99', 0.1, 0.2),
  capacity_streams: gain('Capacity', '', 0.1),
  requests_per_s: gain('Requests', '/s'),
  segments_per_s: gain('Segments', '/s'),
  p50_ms: percentile('p50', 0.1, 0.05),
  p90_ms: percentile('p90', 0.1, 0.1),
  p99_ms: percentile('p99', 0.1, 0.2),
  max_ms: percentile('Largest', 0.1, 1),
  cpu_ms_per_request: cost('CPU a request', 'ms'),
  /** CPU time per request of the other processes (database, engine, supervisor). */
  others_cpu_ms_per_request: cost('CPU of others a request', 'ms'),
  us_per_segment: cost('CPU a segment', 'us'),
  ms_to_listening: cost('To listening', 'ms'),
  ms_to_ready: cost('To ready', 'ms'),
  ms_to_first_frame: cost('To first frame', 'ms'),
  /** Lateness of the generator: time from a frame's due time until the kernel accepted the frame. */
  p50_lateness_ms: percentile('Lateness, p50', 1, 0.05),
  p99_lateness_ms: percentile('Lateness, p99', 1, 0.2),
  max_lateness_ms: percentile('Lateness, largest', 1, 1),
  /** Number of CPU cores that the generator used on average. */
  generator_cores: cost('Generator', 'cores', 0.02, 0.1),
  /** Share of all words that are wrong. */
  word_error: cost('Word error', '', 0.005),
  /** Share of the speech, after the first 10 s, whose text is in the spoken language. */
  right_language: gain('Right language', '', 0.005),
  /** Share of the rare words of the spoken texts that the model wrote. */
  rare_word_recall: gain('Recall', '', 0.02),
  /** Share of the sentences in which a part was decoded a second time. */
  second_decodes: cost('Second decodes', '', 0.01),
  /** CPU time divided by the CPU time without a list of words. */
  cpu_ratio: cost('CPU ratio', '', 0.01, 0.05),
  /**
   * Share of the speech time with a wrong label: missed speech, a label without speech, or the label of another
   * speaker.
   */
  speaker_error: cost('Speaker error', '', 0.005),
  speaker_error_shown: cost('While it goes on', '', 0.005),
  speaker_error_offline: cost('Offline clustering', '', 0.005),
  /** Share of the speech time with the label of another speaker. */
  speaker_confusion: cost('Confusion', '', 0.005),
  /** Share of the conversations in which the number of speakers was right. */
  speakers_counted: gain('Right count', '', 0.1),
  /** Share of the owner's speech that the owner's profile did not match. */
  owner_misses: cost('Owner missed', '', 0.005),
  /** Share of other people's speech that the owner's profile matched. */
  owner_false_accepts: cost('Others accepted', '', 0.005),
  /** Seconds from the last audio until all words were stored in their conversations. */
  s_until_stored: cost('Until stored', 's', 2, 0.2),
  /** Number of words that a model wrote for sounds without intelligible words. */
  invented_words: events('Invented words'),
  words_lost: events('Words lost'),
  words_doubled: events('Words doubled'),
  /** Number of words that were acknowledged to a client but are not stored. */
  acknowledged_words_lost: events('Acknowledged words lost'),
  /** Number of words that are stored twice, after a client has sent their speech twice. */
  resent_words_doubled: events('Resent words doubled'),
  words_misplaced: events('Words misplaced'),
  /** Number of conversations beyond one for each wearable. */
  more_conversations: events('More conversations'),
  /** Number of revisions of conversations that were summarised more than once. */
  repeated_summaries: events('Repeated summaries'),
  /** Number of texts that belong to another stream, or that a model of another language wrote. */
  texts_misplaced: events('Misplaced texts'),
  dropped: events('Dropped'),
  /** Number of dropped frames that no overload explains. */
  unexplained_drops: events('Unexplained drops'),
  errors: events('Errors'),
  /** Number of answers with a status other than 2xx. */
  non_2xx: events('Not 2xx'),

  requests: note('number', 'Requests'),
  errors_by_kind: note('counts', 'Errors by kind'),
  words: note('number', 'Words'),
  /** Ms for which late words waited. The field `wait` names the cause. */
  p50_wait_ms: note('number', 'Wait, p50', 'ms'),
  max_wait_ms: note('number', 'Wait, largest', 'ms'),
  p50_lag_ms: note('number', 'Lag of these words, p50', 'ms'),
  /** Length in ms of the utterances that contain these late words. */
  p50_utterance_ms: note('number', 'Utterance, p50', 'ms'),
  rare_words: note('number', 'Rare words'),
  /** Lower limit of the 95 % interval of the change that a list of words causes in the recall. */
  recall_change_low: note('number', 'Recall change at least'),
  /** Upper limit of the interval of `recall_change_low`. */
  recall_change_high: note('number', 'Recall change at most'),
  /** Lower limit of the 95 % interval of the change that a list of words causes in the word error. */
  word_error_change_low: note('number', 'Word error change at least'),
  /** Upper limit of the interval of `word_error_change_low`. */
  word_error_change_high: note('number', 'Word error change at most'),
  /** Lower limit of the 95 % interval of the word error. */
  word_error_low: note('number', 'Word error at least'),
  /** Upper limit of the interval of `word_error_low`. */
  word_error_high: note('number', 'Word error at most'),
  /** Word error if numbers, signs and accents are compared as they are written. */
  word_error_as_written: note('number', 'Word error as written'),
  utterances_by_model: note('counts', 'Utterances by model'),
  /** Number of times that the server changed the language of a stream. */
  language_changes: note('number', 'Language changes'),
  /** Number of times that a stream must change its language to follow the spoken language. */
  spoken_language_changes: note('number', 'Spoken language changes'),
  /** Seconds of speech whose text is too short to detect its language. */
  unclear_language_s: note('number', 'Unclear language', 's'),
  /** Number of speaker turns with words that must have the right label. */
  turns: note('number', 'Turns'),
  /** Number of processes that the suite killed. */
  kills: note('number', 'Kills'),
  /** Number of utterances that the gate found. */
  utterances: note('number', 'Utterances'),
  retained_utterances: note('number', 'Retained utterances'),
  frames_sent: note('number', 'Frames sent'),
  frames_decoded: note('number', 'Frames decoded'),
  streams_held: note('number', 'Streams held'),
  /** Seconds of audio that reached the speech model. */
  passed_s: note('number', 'Passed', 's'),
  seconds: note('number', 'Measured', 's'),
  rounds: note('number', 'Rounds'),
  /** Lower limit of the confidence interval of `rss_slope_kb_per_min`. */
  rss_slope_low_kb_per_min: note('number', 'Growth at least', 'KB/min'),
  /** Upper limit of the confidence interval of `rss_slope_kb_per_min`. */
  rss_slope_high_kb_per_min: note('number', 'Growth at most', 'KB/min'),
  /**
   * Names of the service level's limits that the load exceeded. Comparisons must ignore costs of an overloaded server.
   */
  beyond: note('text', 'Beyond the service level'),
  /** Whether the load generator fell behind. The row then describes the generator instead of the server. */
  generator_bound: note('flag', 'Generator-bound'),
  rate_limit_boost: note('number', 'RATE_LIMIT_BOOST'),
  page_cache: note('text', 'Page cache'),
  /** Interquartile range of the first cost in the row, in its unit. */
  spread: note('number', 'Spread'),
  /** Cost divided by the cost of `against` in the same round; median over the rounds. */
  ratio: note('number', 'Ratio'),
  against: note('text', 'Against'),
  /** Whether the ratio is significant: farther from 1 than the noise of the comparison. */
  beyond_noise: note('flag', 'Beyond noise'),
} as const satisfies Record<string, Field>;

export type FieldName = keyof typeof fields;

type NamesOf<Wanted extends Kind> = {
  [Name in FieldName]: (typeof fields)[Name]['kind'] extends Wanted ? Name : never;
}[FieldName];
export type DimensionName = NamesOf<'dimension'>;
export type CostName = NamesOf<'cost'>;

const namesOf = <Wanted extends Kind>(kind: Wanted): readonly NamesOf<Wanted>[] =>
  (Object.keys(fields) as FieldName[]).filter((name) => fields[name].kind === kind) as NamesOf<Wanted>[];

/** Names of dimensions in the order of the columns. */
export const dimensionNames = namesOf('dimension');
/** Names of costs in the order of the columns. */
export const costNames = namesOf('cost');

/** Returns the name of the field with the interquartile range of a cost. */
export const spreadOf = <Name extends CostName>(name: Name): `${Name}_spread` => `${name}_spread`;

/**
 * Returns the definition of a field by its name; undefined for an unknown name. A field `x_spread` is a `note` and has
 * the unit of the cost `x`.
 */
export const fieldOf = (name: string): Field | undefined => {
  if (Object.hasOwn(fields, name)) return fields[name as FieldName];
  const base = name.replace(/_spread$/, '');
  const field: Field | undefined = Object.hasOwn(fields, base) ? fields[base as FieldName] : undefined;
  if (base === name || field?.kind !== 'cost') return undefined;
  return { kind: 'note', type: 'number', title: `${field.title}, spread`, unit: field.unit };
};
