/**
 * Role of a row's field:
 * - a `dimension` tells under which conditions the row was measured: rows of two reports with equal dimensions are
 *   compared;
 * - a `cost` is a result, and is judged;
 * - a `note` is information and neither of these.
 */
export type Kind = 'dimension' | 'cost' | 'note';

/** Which direction of a cost is an improvement. */
export type Better = 'lower' | 'higher';

export interface Field {
  readonly kind: Kind;
  readonly type: 'text' | 'number' | 'flag' | 'counts';
  /** Title of the column in tables for readers, and of a plot's axis. */
  readonly title: string;
  /** Unit of a number: `ms`, `us`, `ns`, `KB`, `B`, `Hz`, `/s`, `KB/min`, `cores`; empty for counts and shares. */
  readonly unit: string;
  readonly better?: Better;
  /** Counts events. A change is judged by how often events coincide by chance, not by a ratio. */
  readonly events?: boolean;
  /**
   * Relative difference below which nothing counts as a change; default 0.02. Tails and capacities repeat less well
   * than means.
   */
  readonly least?: number;
  /**
   * Differences below this, in the unit, never count as a change, because the clock or histogram cannot resolve them.
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
/** A percentile of durations, in ms. */
const percentile = (title: string, floor: number, least: number) => cost(title, 'ms', floor, least);
const events = (title: string) =>
  ({ kind: 'cost', type: 'number', title, unit: '', better: 'lower', events: true }) as const;

/**
 * Every field that a row of a report may have, in the order of the columns. A cost `x` may have a field `x_spread`:
 * the interquartile range of the values behind its median.
 */
export const fields = {
  suite: dimension('text', 'Suite'),
  contender: dimension('text', 'Contender'),
  version: note('text', 'Version'),
  isa: dimension('text', 'Instruction set'),
  /** Windows, frames, vectors or segments in one call. */
  batch: dimension('number', 'Batch'),
  codec: dimension('text', 'Codec'),
  material: dimension('text', 'Material'),
  /** The network model of a load, in words; absent: no network effects. */
  network: dimension('text', 'Network'),
  /** The stub or destination that replaces the transcriber. */
  stt: dimension('text', 'Transcriber'),
  rate: dimension('number', 'Rate', 'Hz'),
  channels: dimension('number', 'Channels'),
  frame_ms: dimension('number', 'Frame', 'ms'),
  mode: dimension('text', 'Mode'),
  /** The requested streams as written, `200` or `70%`. Comparisons use it instead of `streams`. */
  asked: dimension('text', 'Asked'),
  streams: dimension('number', 'Streams'),
  /** `streams` divided by the contender's own capacity. */
  load: note('number', 'Load'),
  shards: dimension('number', 'Shards'),
  connections: dimension('number', 'Connections'),
  /** Method and path of an HTTP request. */
  route: dimension('text', 'Route'),
  /** Accounts beside the measured one. */
  accounts: dimension('number', 'Accounts'),
  /** Conversations and segments in the database before the measurement. */
  conversations: dimension('number', 'Conversations'),
  segments: dimension('number', 'Segments'),
  /** The limit that defines a capacity: `p99_frame_to_vad_ms<=100`. */
  service_level: dimension('text', 'Service level'),

  us_per_window: cost('CPU a window', 'us'),
  ns_per_frame: cost('CPU a frame', 'ns'),
  /** The writing thread's part of `ns_per_frame`; wall clock. */
  producer_ns_per_frame: cost('Writer a frame', 'ns'),
  us_per_call: cost('CPU a call', 'us'),
  /**
   * CPU of the server with all threads and children, per second of audio that was decoded and passed the detector.
   */
  cpu_ms_per_stream_s: cost('CPU a stream-second', 'ms'),
  /** CPU of the other processes for the same audio: database, sidecar, supervisor. */
  others_cpu_ms_per_stream_s: cost('CPU of others a stream-second', 'ms', 0.02, 0.1),
  /** Wall clock. */
  frames_per_s: gain('Frames', '/s'),
  heap_bytes_per_frame: cost('Heap a frame', 'B', 8),
  bytes_per_stream: cost('Memory a stream', 'B'),
  /** Growth of the process, including the audio of open utterances. */
  resident_bytes_per_stream: cost('Resident memory a stream', 'B'),
  /** Resident memory above that of an idle server, without the bounded speech buffers. */
  rss_kb_per_stream: cost('Memory a stream', 'KB', 0, 0.05),
  /** Resident memory above that of an idle server, with speech buffers. */
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
  /** From the end of a word until a client shows its final form. */
  p50_word_lag_ms: percentile('Word lag, p50', 50, 0.05),
  p95_word_lag_ms: percentile('Word lag, p95', 100, 0.1),
  p99_word_lag_ms: percentile('Word lag, p99', 200, 0.2),
  /** From the end of an utterance until a client shows the final form of all its words. */
  p50_text_lag_ms: percentile('Final text, p50', 50, 0.05),
  p95_text_lag_ms: percentile('Final text, p95', 100, 0.1),
  /** Difference between a reported word end and the word end of a forced alignment. */
  p50_word_end_error_ms: percentile('Word end, p50', 10, 0.1),
  p90_word_end_error_ms: percentile('Word end, p90', 10, 0.1),
  /** Words that were shown and later changed or removed, per hundred. */
  revisions_per_100_words: cost('Revisions a hundred words', '', 0.5),
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
  /** CPU of the other processes per request: database, engine, supervisor. */
  others_cpu_ms_per_request: cost('CPU of others a request', 'ms'),
  us_per_segment: cost('CPU a segment', 'us'),
  ms_to_listening: cost('To listening', 'ms'),
  ms_to_ready: cost('To ready', 'ms'),
  ms_to_first_frame: cost('To first frame', 'ms'),
  /** Lateness of the generator: from a frame's due time until the kernel took it. */
  p50_lateness_ms: percentile('Lateness, p50', 1, 0.05),
  p99_lateness_ms: percentile('Lateness, p99', 1, 0.2),
  max_lateness_ms: percentile('Lateness, largest', 1, 1),
  /** CPU of the generator, in cores. */
  generator_cores: cost('Generator', 'cores', 0.02, 0.1),
  /** Wrong words, as a share of all words. */
  word_error: cost('Word error', '', 0.005),
  /**
   * Shares of speech: missed, labelled without speech, or labelled as another speaker; and the last of these alone.
   */
  speaker_error: cost('Speaker error', '', 0.005),
  speaker_error_shown: cost('While it goes on', '', 0.005),
  speaker_error_offline: cost('Offline clustering', '', 0.005),
  speaker_confusion: cost('Confusion', '', 0.005),
  /** Share of the conversations with the right number of speakers. */
  speakers_counted: gain('Right count', '', 0.1),
  /** Share of the user's speech that the profile missed, and share of other people's speech that it matched. */
  owner_misses: cost('Owner missed', '', 0.005),
  owner_false_accepts: cost('Others accepted', '', 0.005),
  /** From the last audio until all words were stored in their conversations. */
  s_until_stored: cost('Until stored', 's', 2, 0.2),
  /** Words that a model writes for sounds without intelligible words. */
  invented_words: events('Invented words'),
  words_lost: events('Words lost'),
  words_doubled: events('Words doubled'),
  dropped: events('Dropped'),
  /** Drops without an overload. */
  unexplained_drops: events('Unexplained drops'),
  errors: events('Errors'),
  /** Answers other than 2xx. */
  non_2xx: events('Not 2xx'),

  requests: note('number', 'Requests'),
  errors_by_kind: note('counts', 'Errors by kind'),
  words: note('number', 'Words'),
  /** Turns of speakers that had to have the right label. */
  turns: note('number', 'Turns'),
  retained_utterances: note('number', 'Retained utterances'),
  frames_sent: note('number', 'Frames sent'),
  frames_decoded: note('number', 'Frames decoded'),
  streams_held: note('number', 'Streams held'),
  /** Audio that reached the speech model. */
  passed_s: note('number', 'Passed', 's'),
  seconds: note('number', 'Measured', 's'),
  rounds: note('number', 'Rounds'),
  /** Limits of the confidence interval of `rss_slope_kb_per_min`. */
  rss_slope_low_kb_per_min: note('number', 'Growth at least', 'KB/min'),
  rss_slope_high_kb_per_min: note('number', 'Growth at most', 'KB/min'),
  /** The limits of the service level that the load exceeded. Costs of an overloaded server are not comparable. */
  beyond: note('text', 'Beyond the service level'),
  /** The load generator fell behind, so the row measures the generator rather than the server. */
  generator_bound: note('flag', 'Generator-bound'),
  rate_limit_boost: note('number', 'RATE_LIMIT_BOOST'),
  page_cache: note('text', 'Page cache'),
  /** Interquartile range of the row's first cost, in its unit. */
  spread: note('number', 'Spread'),
  /** Cost divided by the cost of `against` in the same round; median of the rounds. */
  ratio: note('number', 'Ratio'),
  against: note('text', 'Against'),
  /** Whether the ratio exceeds the contender's difference from itself. */
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

/** Name of the field with the interquartile range of a cost. */
export const spreadOf = <Name extends CostName>(name: Name): `${Name}_spread` => `${name}_spread`;

/**
 * Returns the definition of a row's field; undefined for an unknown name. The field `x_spread` is of the kind `note` and
 * has the unit of the cost `x`.
 */
export const fieldOf = (name: string): Field | undefined => {
  if (Object.hasOwn(fields, name)) return fields[name as FieldName];
  const base = name.replace(/_spread$/, '');
  const field: Field | undefined = Object.hasOwn(fields, base) ? fields[base as FieldName] : undefined;
  if (base === name || field?.kind !== 'cost') return undefined;
  return { kind: 'note', type: 'number', title: `${field.title}, spread`, unit: field.unit };
};
