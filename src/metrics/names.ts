import { type ModelCounter, modelMetrics } from './model-metrics.js';
import {
  type ProviderHistogram,
  type ProviderMetric,
  providerHistograms,
  providerMetrics,
} from './provider-metrics.js';

const acknowledgedHelp =
  'Changes of conversations that were acknowledged, by the place that stored them: database, stream (copies on the bus) or disk (of this engine only).';

/**
 * All counters and gauges except those of providers and models, in the order of their cells in shared memory. The
 * thread that owns a row writes its cells. The main thread reads them for the Prometheus page.
 */
export const metricNames = {
  // Front (main thread)
  connections_accepted_total: 'Streams accepted.',
  connections_refused_total: 'Upgrades refused.',
  connections_closed_total: 'Streams closed.',
  connections_active: 'Streams open now.',
  frames_received_total: 'Audio messages received.',
  bytes_received_total: 'Audio bytes received.',
  keepalives_received_total: 'Binary messages of two bytes or fewer.',
  texts_received_total: 'Text messages received.',
  texts_invalid_total: 'Text messages that are not JSON.',
  frames_too_large_total: 'Frames refused by size.',
  ring_frames_dropped_total: 'Frames dropped because a ring and the queue before it were full.',
  ring_frames_queued_total: 'Frames that waited for space in a ring.',
  frames_after_drain_total: 'Frames that arrived after the ending process had told its shards to finish.',
  ring_controls_queued_total: 'Control records that waited for space in a ring.',
  messages_sent_total: 'Messages sent to clients.',
  messages_dropped_total: 'Messages dropped because a client read too slowly.',
  voice_streams_active: 'Open sockets of voice messages in progress.',
  voice_streams_total: 'Accepted sockets of voice messages.',
  voice_streams_refused_total: 'Refused upgrades of voice messages.',
  proxied_requests_total: 'Requests for the sidecar.',
  proxied_refused_total: 'Requests that the listener refused instead of passing them to the sidecar.',
  event_streams_active: 'Event streams that assistants hold open.',
  bus_connected: 'Whether this process is connected to the bus (NATS_URL), 1 or 0.',
  bus_engines:
    'Living engines on the bus, as this engine knows them; 0 while the bus or its node registry is away.',
  directory_streams:
    'Streams of this engine and others that this engine keeps for users with their home here.',
  directory_messages_ignored_total:
    'Messages of engines about their streams that were malformed or beyond a limit (docs/limits.md).',
  usage_names: 'Users and client addresses whose streams and opens on all engines this engine adds up.',
  usage_messages_ignored_total:
    'Messages of other engines about streams and opens that were malformed, from the wrong engine or beyond a limit.',
  database_clock_offset_milliseconds: "Time by which the database's clock is ahead of this machine's clock.",
  // Shards (written by the main thread)
  shards_serving: 'Shards that accept streams.',
  shards_lost_total: 'Shards that ended unexpectedly, or were replaced because they made no progress.',
  shards_replaced_total: 'Shards started to replace a lost shard.',
  speech_lost_milliseconds_total:
    'Untranscribed speech in lost shards, as of their last tick, that could not be retained.',
  ring_frames_lost_total: 'Unread frames in the rings of lost shards.',
  shards_abandoned: 'Threads of lost shards that hang and cannot be ended.',
  // Shard
  sessions_active: 'Sessions on shards.',
  frames_decoded_total: 'Frames decoded.',
  frames_skipped_total: 'Frames that were surely silent, and therefore not decoded (SKIP_SILENCE).',
  frames_invalid_total: 'Frames that did not decode.',
  streams_unreadable_total:
    'Streams with audio that does not match the declared codec, as reported to their clients.',
  audio_samples_judged_total: 'Copies of the first audio of a stream that were decoded with other codecs.',
  audio_samples_skipped_total:
    'Copies of the first audio of a stream that were not judged because too many waited.',
  frames_untagged_total: 'Frames of a two-channel stream that name neither channel.',
  frames_over_budget_total: 'Frames refused because their stream exceeded its audio budget.',
  frames_queue_dropped_total:
    'Frames dropped because a stream was FRAME_QUEUE_DURATION behind, too much audio waited to be decoded, or the stream ended first.',
  samples_decoded_total: 'Samples at 16 kHz that went through detection.',
  vad_windows_total: 'Windows judged by the detector.',
  speech_held_milliseconds: 'Audio in the memory of shards with untranscribed speech that is not retained.',
  speech_buffer_bytes:
    'Bytes of speech in memory that has not ended or was not yet passed to the transcriber.',
  audio_backlog_bytes: 'Undecoded audio in bytes that waits behind other streams.',
  turns_total: 'Turns of a shard.',
  turn_microseconds_total: 'Time spent inside turns.',
  shard_lag_milliseconds: 'Age of the oldest frame not yet decided.',
  utterances_total: 'Utterances cut by the gate.',
  utterances_empty_total: 'Utterances for which a provider returned no text.',
  interim_requests_total: 'Utterances that were transcribed before they had ended, once for each time.',
  interim_reused_total: 'Utterances with known or pending words when they ended.',
  utterances_other_language_total:
    'Utterances of streams with language=multi that were transcribed again, because they were in another language.',
  stream_language_changes_total: 'Changes of the language of streams with language=multi.',
  utterances_failed_total: 'Utterances that were not transcribed; their audio was retained where possible.',
  utterances_abandoned_total: 'Utterances without a result when their stream was ended.',
  provider_failovers_total: 'Streams that another provider took over during their session.',
  provider_finals_dropped_total:
    'Final words that a provider sent twice, or after another provider had received their audio.',
  provider_failures_total: 'Streams closed because no provider could serve them.',
  sessions_failed_total: 'Streams closed by a fault of the engine.',
  texts_unread_bytes: 'Text messages that wait to be read, in bytes.',
  texts_given_up_total:
    'Text messages dropped unread because a shard held too many, or not read in time after a stream closed.',
  image_chunks_total: 'Chunks of images received.',
  images_held_bytes: 'Chunks of images in the memory of shards, until the images are stored.',
  images_stored_total: 'Images stored with their conversations.',
  images_refused_total: 'Images that were not stored; clients received the reason.',
  images_forgotten_total:
    'Images dropped because chunks were missing for too long, or other images needed the space.',
  translations_total: 'Segments that were translated.',
  translations_failed_total: 'Segments without a translation because it failed.',
  translations_dropped_total: 'Segments without a translation because too many waited.',
  translations_waiting: 'Segments that wait for translation.',
  translation_requests_total: 'Requests for translations.',
  translation_milliseconds_total: 'Time that requests for translations took.',
  translation_characters_total: 'Characters that were sent to be translated.',
  translation_tokens_total: 'Tokens of the language model that translations have used.',
  translation_sentences_total: 'Sentences that were sent to be translated.',
  translation_cache_hits_total: 'Sentences with a cached translation.',
  voices_told_total: 'Diarized pieces of speech.',
  voices_milliseconds_total: 'Time from the end of diarized pieces to their labels.',
  voices_revised_total: 'Conversations with speakers reassigned at their end.',
  voices_unrevised_total:
    'Conversations in which speakers could not be reassigned at the end; their labels stay unchanged.',
  voices_skipped_total:
    'Pieces of speech not diarized because too many waited or the speaker model is missing.',
  voices_stored_total:
    'Times that the voices of a conversation were stored for the engine that continues it.',
  voices_restored_total: 'Conversations continued with the voices that an engine stored.',
  voices_ignored_total:
    'Stored voices of conversations that were not used, because they are damaged or of another format or model.',
  segments_dropped_total: 'Segments dropped because too many waited to be stored.',
  segments_committed_total: 'Segments made durable.',
  segments_sent_total: 'Segments sent to clients.',
  conversations_opened_total: 'Conversations begun.',
  conversations_resumed_total: 'Conversations resumed.',
  conversations_finished_total: 'Conversations passed to processing.',
  conversations_discarded_total: 'Conversations deleted because they contain no speech.',
  leases_lost_total: 'Writes refused because another engine owns the conversation.',
  journal_commits_total: 'Batches committed to the database.',
  journal_spilled_total: 'Batches written to the spill.',
  journal_replayed_total: 'Batches replayed from the spill.',
  journal_spill_depth: 'Batches waiting in the spill.',
  journal_conflicts_total: 'Statements repeated after a deadlock or a serialization failure.',
  journal_rejected_total: 'Entries set aside because the database refused them permanently.',
  journal_rejected_lost_total: 'Refused entries that could not be set aside.',
  journal_rejected_bytes: 'Size of the entries that were set aside.',
  journal_newer_total: 'Spills left on the disk because only a newer program can read an entry in them.',
  'acknowledged_total{durability="database"}': acknowledgedHelp,
  'acknowledged_total{durability="stream"}': acknowledgedHelp,
  'acknowledged_total{durability="disk"}': acknowledgedHelp,
  spill_copies_total: 'Spilled entries, or parts of them, that the stream cochlea_spill confirmed.',
  spill_copies_failed_total: 'Copies of spilled entries that the stream cochlea_spill did not confirm.',
  spill_copies_too_large_total: 'Changes of a conversation that are too large for a copy on the bus.',
  spill_copies_ready: 'Whether the stream cochlea_spill confirmed the last canary or copy, 1 or 0.',
  spill_refusing: 'Shards that refuse to acknowledge words, because MIN_DURABILITY is not met.',
  // Transcription service of the machine, as reported to each engine (main thread)
  transcriber_queue_milliseconds: 'Speech waiting for the transcriber.',
  transcriber_queue_users: 'Users with speech that waits for the transcriber.',
  transcriber_processes: 'Processes of this machine that have the speech model loaded and decode with it.',
  transcriber_long_silence: '1 while utterances of the local models end only after VAD_LONG_SILENCE.',
  transcriber_lag_milliseconds: 'Age of the oldest waiting utterance of an open stream.',
  transcriber_voice_lag_milliseconds: 'Age of the oldest waiting voice message.',
  transcriber_retained_lag_milliseconds: 'Age of the oldest waiting piece of retained audio.',
  transcriber_interim_lag_milliseconds: 'Age of the oldest waiting request for provisional words.',
  transcriber_wait_milliseconds:
    'Time that the first utterance of a new stream would wait for the transcriber.',
  transcriber_utterances_total:
    'Utterances of this engine transcribed after they had ended; without utterances with known words at that time.',
  transcriber_repeats_total:
    'Parts of utterances that were decoded twice, because the first decode did not find their end.',
  transcriber_failures_total: 'Utterances of this engine that the transcriber failed to decode.',
  transcriber_restarts_total:
    'Ends of the transcription service or of one of its decoding processes, as seen by this engine.',
  utterances_retained_total: 'Utterances written to the audio store instead of transcribed.',
  utterances_retained_on_disk_total:
    'Retained utterances written to the own disk because the bucket was unavailable.',
  utterances_lost_total:
    'Utterances neither transcribed nor retained; their streams are notified and closed.',
  samples_retained_total: 'Samples at 16 kHz written to the audio store instead of transcribed.',
  retained_audio_bytes: 'Disk or bucket space taken by retained audio.',
  retained_audio_seconds: 'Retained audio that waits to be transcribed.',
  retained_audio_oldest_seconds: 'Age of the oldest retained audio that waits to be transcribed.',
  retained_audio_full: 'Whether new streams are refused because the store of retained audio is full.',
  // Written by every thread
  log_lines_dropped_total: 'Log lines dropped because the reader of standard error was too slow.',
  log_lines_suppressed_total: 'Log lines suppressed because the same line was repeated too often.',
} as const;

/** All histograms without labels. They all have the bounds of `histogramBounds`, in seconds. */
export const histogramNames = {
  frame_to_vad_seconds:
    'From the arrival of the frame that completed a window to the decision of the detector about the window.',
} as const;

export type HistogramName = keyof typeof histogramNames | ProviderHistogram;
export type MetricName = keyof typeof metricNames | ProviderMetric | ModelCounter;

/** Help text of each histogram, including histograms with labels. */
export const histogramHelp: Readonly<Record<HistogramName, string>> = {
  ...histogramNames,
  ...providerHistograms,
};
export const metricHelp: Readonly<Record<MetricName, string>> = {
  ...metricNames,
  ...providerMetrics,
  ...modelMetrics,
};
export const histogramOrder = Object.keys(histogramHelp) as HistogramName[];
export const metricOrder = Object.keys(metricHelp) as MetricName[];
