import {
  type ProviderHistogram,
  type ProviderMetric,
  providerHistograms,
  providerMetrics,
} from './provider-metrics.js';

/**
 * Every counter and gauge without labels, in the order of its cell in shared memory. A cell is written by the thread that owns the
 * row and read by the main thread, which serves the Prometheus page.
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
  ring_frames_dropped_total: 'Frames dropped because a ring was full.',
  frames_after_drain_total: 'Frames that came when the process was ending and had told its shards to finish.',
  ring_controls_queued_total: 'Control records that waited for space in a ring.',
  messages_sent_total: 'Messages sent to clients.',
  messages_dropped_total: 'Messages a slow client could not take.',
  voice_streams_active: 'Open sockets of voice messages that are being spoken.',
  voice_streams_total: 'Sockets of voice messages that were accepted.',
  voice_streams_refused_total: 'Upgrades of voice messages that were refused.',
  proxied_requests_total: 'Requests for the sidecar.',
  proxied_refused_total: 'Requests that the listener refused instead of passing them on.',
  event_streams_active: 'Streams of events that assistants hold open.',
  // Shards (written by the main thread)
  shards_serving: 'Shards that take streams.',
  shards_lost_total: 'Shards that ended unasked, or made no progress and were given up.',
  shards_replaced_total: 'Shards started in place of a lost one.',
  speech_lost_milliseconds_total:
    'Speech without words that a shard held which was lost, as of its last tick, and could not retain.',
  ring_frames_lost_total: 'Frames in the rings of lost shards that these had not taken.',
  shards_abandoned: 'Threads of lost shards that hang and cannot be ended.',
  // Shard
  sessions_active: 'Sessions on shards.',
  frames_decoded_total: 'Frames decoded.',
  frames_invalid_total: 'Frames that did not decode.',
  streams_unreadable_total:
    'Streams whose clients were told that their audio is not what the stream was opened with.',
  audio_samples_judged_total: 'Copies of the beginning of a stream that were decoded in other forms.',
  audio_samples_skipped_total: 'Such copies that were not judged, because too many waited.',
  frames_untagged_total: 'Frames of a two-channel stream that name neither channel.',
  frames_over_budget_total: 'Frames refused because their stream sends more audio than it may.',
  frames_queue_dropped_total:
    'Frames dropped because a stream was FRAME_QUEUE_DURATION behind, because too much waited to be decoded, or because it ended first.',
  samples_decoded_total: 'Samples at 16 kHz that went through detection.',
  vad_windows_total: 'Windows judged by the detector.',
  speech_held_milliseconds:
    'Audio in the memory of shards with speech that has no words yet and is not retained.',
  speech_buffer_bytes: 'Bytes held of speech that has not ended or was not yet handed to the transcriber.',
  audio_backlog_bytes:
    'Audio that came faster than it is decoded, in bytes: it waits behind that of other streams.',
  turns_total: 'Turns of a shard.',
  turn_microseconds_total: 'Time spent inside turns.',
  shard_lag_milliseconds: 'Age of the oldest frame not yet decided.',
  utterances_total: 'Utterances cut by the gate.',
  utterances_empty_total: 'Utterances for which a provider returned no text.',
  interim_requests_total: 'Utterances that were transcribed before they had ended, once for each time.',
  interim_reused_total: 'Utterances whose words were known, or on their way, when they ended.',
  utterances_failed_total: 'Utterances that were not transcribed; their audio was retained where possible.',
  utterances_abandoned_total: 'Utterances whose result did not come before a stream was ended.',
  provider_failovers_total: 'Streams that another provider took over in mid-session.',
  provider_finals_dropped_total:
    'Final words that a provider told twice, or after their audio was given to another.',
  provider_failures_total: 'Streams closed because no provider could serve them.',
  sessions_failed_total: 'Streams closed by a fault of the engine.',
  texts_unread_bytes: 'Text messages that wait to be read, in bytes.',
  texts_given_up_total:
    'Text messages given up unread: a shard held too many, or those of a closed stream were not read in time.',
  image_chunks_total: 'Chunks of images received.',
  images_held_bytes: 'Chunks of images in the memory of shards, until the images are stored.',
  images_stored_total: 'Images stored with their conversations.',
  images_refused_total: 'Images that were not stored; their clients were told why.',
  images_forgotten_total: 'Images of which chunks were missing for too long, or that gave way to others.',
  translations_total: 'Segments that were translated.',
  translations_failed_total: 'Segments that stay without a translation because it could not be had.',
  translations_dropped_total: 'Segments that stay without a translation because too many waited.',
  translations_waiting: 'Segments that wait for their translation.',
  translation_requests_total: 'Requests for translations.',
  translation_milliseconds_total: 'Time that these requests took.',
  translation_characters_total: 'Characters that were sent to be translated.',
  translation_tokens_total: 'Tokens of the language model that translations have used.',
  translation_sentences_total: 'Sentences that were sent to be translated.',
  translation_cache_hits_total: 'Sentences whose translation was known.',
  voices_told_total: 'Pieces of speech whose voices were told apart.',
  voices_milliseconds_total: 'Time from the end of these pieces to their labels.',
  voices_revised_total: 'Conversations whose voices were decided anew at their end.',
  voices_unrevised_total:
    'Ends of conversations at which that could not be done; the labels stay as they were.',
  voices_skipped_total:
    'Pieces of speech whose voices were not told apart: too many waited, or there is no speaker model.',
  segments_dropped_total: 'Segments dropped because too many waited to be stored.',
  segments_committed_total: 'Segments made durable.',
  segments_sent_total: 'Segments sent to clients.',
  conversations_opened_total: 'Conversations begun.',
  conversations_resumed_total: 'Conversations resumed.',
  conversations_finished_total: 'Conversations handed to processing.',
  conversations_discarded_total: 'Conversations deleted because nothing was said.',
  leases_lost_total: 'Writes refused because another engine owns the conversation.',
  journal_commits_total: 'Batches committed to the database.',
  journal_spilled_total: 'Batches written to the spill.',
  journal_replayed_total: 'Batches replayed from the spill.',
  journal_spill_depth: 'Batches waiting in the spill.',
  journal_conflicts_total: 'Statements repeated after a deadlock or a serialization failure.',
  journal_rejected_total: 'Entries that the database refused permanently and that were set aside.',
  journal_rejected_lost_total: 'Refused entries that could not be set aside.',
  journal_rejected_bytes: 'Size of the entries that were set aside.',
  // Transcription service of the machine, as it reports itself to each engine (main thread)
  transcriber_queue_milliseconds: 'Speech waiting for the transcriber.',
  transcriber_queue_users: 'Users whose speech waits for the transcriber.',
  transcriber_processes: 'Processes of this machine that have the speech model loaded and decode with it.',
  transcriber_lag_milliseconds: 'Age of the oldest waiting utterance of an open stream.',
  transcriber_voice_lag_milliseconds: 'Age of the oldest waiting voice message.',
  transcriber_retained_lag_milliseconds: 'Age of the oldest waiting piece of retained audio.',
  transcriber_interim_lag_milliseconds: 'Age of the oldest waiting request for provisional words.',
  transcriber_wait_milliseconds:
    'Time that the first utterance of a new stream would wait for the transcriber.',
  transcriber_utterances_total:
    'Utterances of this engine transcribed after they had ended; not those whose words were known by then.',
  transcriber_repeats_total:
    'Parts of utterances that were decoded twice, because the first decode did not find their end.',
  transcriber_failures_total: 'Utterances of this engine the transcriber gave up on.',
  transcriber_restarts_total:
    'Ends of the transcription service, or of one of its processes that decode, that this engine saw.',
  utterances_retained_total: 'Utterances written to the audio store instead of transcribed.',
  utterances_lost_total: 'Utterances neither transcribed nor retained; their streams are told and closed.',
  samples_retained_total: 'Samples at 16 kHz written to the audio store instead of transcribed.',
  retained_audio_bytes: 'Disk or bucket taken by retained audio.',
  retained_audio_seconds: 'Retained audio that waits to be transcribed.',
  retained_audio_oldest_seconds: 'For how long the oldest retained audio waits to be transcribed.',
  retained_audio_full: 'Whether new streams are refused because the store of retained audio is full.',
  // Written by every thread
  log_lines_dropped_total: 'Log lines dropped because the reader of standard error was too slow.',
  log_lines_suppressed_total: 'Log lines left out because the same line was repeated too often.',
} as const;

/** Every histogram; all have the bounds of `histogramBounds`, in seconds. */
export const histogramNames = {
  frame_to_vad_seconds:
    'From the arrival of the frame that completed a window to the decision of the detector about it.',
} as const;

export type HistogramName = keyof typeof histogramNames | ProviderHistogram;
export type MetricName = keyof typeof metricNames | ProviderMetric;

/** What each metric is, with those that carry labels. */
export const histogramHelp: Readonly<Record<HistogramName, string>> = {
  ...histogramNames,
  ...providerHistograms,
};
export const metricHelp: Readonly<Record<MetricName, string>> = { ...metricNames, ...providerMetrics };
export const histogramOrder = Object.keys(histogramHelp) as HistogramName[];
export const metricOrder = Object.keys(metricHelp) as MetricName[];
