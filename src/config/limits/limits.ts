import type { FixedLimit } from './fixed-limit.js';
import { searchLimits } from './search-limits.js';
import { signInLimits } from './sign-in-limits.js';
import { toolLimits } from './tool-limits.js';

/**
 * Limits that an operator cannot change. The code that enforces a limit reads its value from this table. `docs/limits.md` is
 * generated from this table and from the settings with the words of a limit.
 */
export const fixedLimits = {
  ...toolLimits,
  authMessage: {
    value: 16_384,
    unit: 'bytes',
    bounds: 'Longest auth message. It is the only text that the front parses.',
    protects: 'the main thread',
    client: 'close 1008 `web_auth_invalid`; on an open socket it is an ordinary text',
  },
  unownedAudio: {
    value: 1_048_576,
    unit: 'bytes',
    bounds:
      'Audio that a socket may send before it has authenticated, 512 bytes at least for each message; it is not kept.',
    protects: 'the network and the main thread',
    client: 'close 1008 `audio_before_auth`',
  },
  textCost: {
    value: 512,
    unit: 'bytes',
    bounds: 'Bytes that a shorter text counts against `TEXT_BURST` and `TEXT_RATE`.',
    protects: 'the main thread from floods of empty texts',
    client: 'close 1008 `text_flood`',
  },
  messageBurst: {
    value: 100_000,
    unit: 'messages',
    bounds: 'Binary messages of any size that one user may send at once, on all its sockets together.',
    protects: 'the main thread, which every stream shares, from floods of tiny messages',
    client: 'close 1008 `message_flood`',
  },
  messageRate: {
    value: 10_000,
    unit: 'messages a second',
    bounds: 'Binary messages that one user may send beyond `messageBurst`, in the long run.',
    protects: 'the main thread, which every stream shares, from floods of tiny messages',
    client: 'close 1008 `message_flood`',
  },
  voiceMessageRate: {
    value: 200,
    unit: 'messages a second',
    bounds:
      'Binary messages of a voice message that is being spoken, beyond `voiceMessageBurst`, in the long run.',
    protects: 'the main thread and its memory, from audio in tiny pieces that wait for the sidecar',
    client: 'close 1008 `message_flood`',
  },
  voiceMessageBurst: {
    value: 10_000,
    unit: 'messages',
    bounds: 'Binary messages of a voice message that is being spoken, at once.',
    protects: 'the same',
    client: 'close 1008 `message_flood`',
  },
  joinedFiles: {
    value: 20,
    unit: 'files',
    bounds: 'Files that were joined to one audio file which ffmpeg decodes, each in a child of its own.',
    protects: 'the processor and the turns of other users at ffmpeg',
    client: 'HTTP 400 `stt_invalid_input`, or `recording_invalid`',
  },
  violationOpens: {
    value: 15,
    unit: 'opens',
    bounds:
      'What a stream that is closed because its client flooded or broke a rule in a text costs its user of `MAX_OPENS_PER_USER`, beside its own open.',
    protects: 'the engine from clients that flood, are closed, and come again at once',
    client: 'HTTP 429 `opens_limited` with `Retry-After`; close 1013 on the web route',
  },
  unreadBytes: {
    value: 1_048_576,
    unit: 'bytes',
    bounds: 'Messages to a client that it has not read.',
    protects: 'memory',
    client: 'close 1008 `slow_reader`; the connection is cut some seconds later when it still does not read',
  },
  payload: {
    value: 1_310_720,
    unit: 'bytes',
    bounds: 'A message of any kind, as the listener accepts it; the limits of frames and texts are lower.',
    protects: 'memory',
    client: 'with uWebSockets.js the connection ends without a close frame (1006), with ws close 1009',
  },
  handshakeQuery: {
    value: 4096,
    unit: 'characters',
    bounds: 'Query of an upgrade.',
    protects: 'memory and the main thread',
    client: 'HTTP 431 `handshake_too_long`',
  },
  handshakeAuthorization: {
    value: 8192,
    unit: 'characters',
    bounds: '`Authorization` of an upgrade.',
    protects: 'memory and the main thread',
    client: 'HTTP 431 `handshake_too_long`',
  },
  handshakeHeader: {
    value: 512,
    unit: 'characters',
    bounds: 'Every other header of an upgrade that is read.',
    protects: 'memory and the main thread',
    client: 'HTTP 431 `handshake_too_long`',
  },
  abandonedShards: {
    value: 2,
    unit: 'threads',
    bounds: 'Threads of lost shards that hang in native code; with one more the engine process restarts.',
    protects: 'the memory of the machine: such a thread keeps what it holds',
    client: 'close 1001 `shutdown`; after a reconnect the conversation goes on',
  },
  segmentText: {
    value: 2000,
    unit: 'characters',
    bounds: 'Text of a live segment; a longer one is cut between words.',
    protects: 'database and sockets, to which a segment that changes is written again',
    client: 'several segments',
  },
  segmentDuration: {
    value: 60,
    unit: 's',
    bounds:
      'Time over which segments are joined; what lasts longer is cut into pieces of 200 characters at least.',
    protects: 'database and sockets, to which a segment that changes is written again',
    client: 'several segments',
  },
  conversationSize: {
    value: 2_097_152,
    unit: 'characters',
    bounds: 'A live conversation: the characters of its texts and names, and 256 more for each segment.',
    protects: 'the shards and the sidecar, which read a conversation as a whole',
    client: 'the conversation ends as if it had fallen silent; the next words begin another',
  },
  suggestedSegments: {
    value: 500,
    unit: 'segments',
    bounds: 'Segments in one `suggested_transcript`, and segments it makes where long texts are cut.',
    protects: 'the time of a shard, which all its streams share',
    client: '`service_status` `message_refused`; nothing of the message is taken',
  },
  providerFaults: {
    value: 3,
    unit: 'messages',
    bounds:
      'Messages in a row of a provider of audio that cannot be read, after which its connection ends. Fewer are skipped and counted.',
    protects: 'the words of a stream, from a provider that tells nothing usable any more',
    client: '`stt_failed`, or another provider serves; speech without words is retained',
  },
  assignedSegments: {
    value: 1000,
    unit: 'ids',
    bounds: 'Segment ids in one `speaker_assigned`.',
    protects: 'the memory of a conversation',
    client: '`service_status` `message_refused`; nothing of the message is taken',
  },
  namedSegments: {
    value: 10_000,
    unit: 'ids',
    bounds:
      'Segments of one live conversation that `speaker_assigned` names one by one. A conversation has 8,192 at most.',
    protects: 'the memory of a shard, from ids of segments that there are not',
    client: '`service_status` `message_refused` with `too_many_segment_ids`; nothing of the message is taken',
  },
  textsReadRate: {
    value: 131_072,
    unit: 'bytes a second',
    bounds:
      'Text messages of one stream that are read, 256 bytes counted for each beside its own; without image data.',
    protects: 'the time of a shard, which all its streams share',
    client: 'its messages are read later, in their order',
  },
  textsReadBurst: {
    value: 262_144,
    unit: 'bytes',
    bounds:
      'Text messages of one stream that are read at once, beyond `textsReadRate`; at least twice `MAX_TEXT`.',
    protects: 'the audio of the other streams of a shard',
    client: 'its messages are read later, in their order',
  },
  suggestedRate: {
    value: 5,
    unit: 'segments a second',
    bounds:
      'Segments that the texts of one stream make (`suggested_transcript`) or change (`speaker_assigned`, one more for each), beyond `suggestedBurst` at once; a message is read whole as soon as one is left. Speech has one in a second or two.',
    protects: 'the time of a shard and the database, which every segment is written to',
    client: 'its next messages are read later, in their order',
  },
  suggestedBurst: {
    value: 50,
    unit: 'segments',
    bounds: 'Segments of that kind at once, of one stream by itself.',
    protects: 'the audio of all streams of a shard',
    client: 'its next messages are read later, in their order',
  },
  sharedBurst: {
    value: 1000,
    unit: 'segments',
    bounds:
      'Segments of that kind at once, of all streams of a shard together, beyond what each may by itself.',
    protects: 'the audio of all streams of a shard',
    client: 'its next messages are read as fast as `suggestedRate` allows',
  },
  sharedRate: {
    value: 20,
    unit: 'segments a second',
    bounds: 'Segments of that kind, of all streams of a shard together, beyond `sharedBurst`.',
    protects: 'the audio of all streams of a shard',
    client: 'its next messages are read as fast as `suggestedRate` allows',
  },
  closingRate: {
    value: 500,
    unit: 'segments a second',
    bounds:
      'Segments that texts of streams whose socket is gone make, of all these on a shard together, beyond `suggestedRate` of each.',
    protects: 'the time of a shard and the database, which every segment is written to',
    client: 'its last messages are stored later; what is not read after some minutes is given up',
  },
  textsTime: {
    value: 6,
    unit: '%',
    bounds: 'Time of a shard for reading texts, of all its streams together, unless it drains.',
    protects: 'the audio of all streams of a shard',
    client: 'its messages are read later, in their order',
  },
  textsUnread: {
    value: 1_048_576,
    unit: 'bytes',
    bounds: 'Text messages of one stream that wait to be read; at least twice `MAX_TEXT`.',
    protects: 'the memory of a shard',
    client: 'close 1008 `texts_over_budget`',
  },
  textsUnreadPerShard: {
    value: 33_554_432,
    unit: 'bytes',
    bounds: 'Text messages of all streams of a shard that wait to be read.',
    protects: 'the memory of a shard',
    client:
      'close 1013 `overloaded` for the stream with the most; if its socket is gone its texts are given up',
  },
  imagesUnfinished: {
    value: 50,
    unit: 'images',
    bounds: 'Images of one stream that lack chunks.',
    protects: 'the memory of a shard',
    client: 'nothing; the image whose last chunk came longest ago is forgotten',
  },
  imageTimeout: {
    value: 60_000,
    unit: 'ms',
    bounds: 'Time without another chunk after which an unfinished image is forgotten.',
    protects: 'the memory of a shard',
    client: 'nothing; chunks that come later begin another image',
  },
  imagesHeldPerUser: {
    value: 16_777_216,
    unit: 'bytes',
    bounds: 'Chunks of images of one user on a shard, in base64, until the images are stored.',
    protects: 'the images of other users',
    client: '`service_status` `message_refused`, reason `images_waiting`; the image is not stored',
  },
  imagesHeldPerShard: {
    value: 67_108_864,
    unit: 'bytes',
    bounds:
      'Chunks of images of all users on a shard, in base64, until the images are stored. When it is full the user with most gives up unfinished images for those with less.',
    protects: 'the memory of the engine',
    client: '`service_status` `message_refused`, reason `images_waiting`; the image is not stored',
  },
  photosAwaited: {
    value: 100,
    unit: 'images',
    bounds: 'Images of one stream whose descriptions it is waiting for, each for an hour at most.',
    protects: 'the memory of a shard, and the database, which is asked about them',
    client: 'no `photo_described` for the oldest; REST has the description',
  },
  photosPerConversation: {
    value: 500,
    unit: 'images',
    bounds: 'Images of one conversation.',
    protects: 'answers and events, which list the images of a conversation',
    client: '`service_status` `message_refused`, reason `no_space`; the image is not stored',
  },
  audioSample: {
    value: 196_608,
    unit: 'bytes',
    bounds: 'Copy of the first 2 s of a stream, by which it is checked to be what it was opened with.',
    protects: 'the memory of a shard',
    client: 'nothing; less of its audio is looked at',
  },
  audioSamples: {
    value: 16_777_216,
    unit: 'bytes',
    bounds: 'Such copies of all streams of a shard.',
    protects: 'the memory of a shard',
    client: 'nothing; its audio is looked at some seconds later',
  },
  audioSamplesWaiting: {
    value: 64,
    unit: 'samples',
    bounds:
      'Such copies that wait to be decoded in other forms, of all streams of an engine; of one user at most 8.',
    protects: 'the memory of an engine',
    client: 'nothing; its audio is looked at some seconds later',
  },
  audioWaitingPerUser: {
    value: 16_777_216,
    unit: 'bytes',
    bounds: 'Audio of all streams of a user that came faster than it is decoded, on each shard.',
    protects: 'the memory of a shard',
    client: '`service_status` `audio_dropped`; its frames are dropped',
  },
  audioWaitingPerShard: {
    value: 67_108_864,
    unit: 'bytes',
    bounds:
      'Audio of all streams of a shard that came faster than it is decoded; beyond it a user gets no more who has more than an equal part of it waiting. With what users below their part have it may be twice as much.',
    protects: 'the memory of a shard',
    client: '`service_status` `audio_dropped`; its frames are dropped',
  },
  textsInRing: {
    value: 25,
    unit: '%',
    bounds: 'Share of `RING_SIZE` that text messages of all streams of a shard may take.',
    protects: 'the space that audio needs in a ring',
    client: 'its messages, and the audio behind them, wait in the front',
  },
  textsInRingPerSlot: {
    value: 12.5,
    unit: '%',
    bounds: 'Share of `RING_SIZE` that text messages of one stream may take.',
    protects: 'the text messages of the other streams of a shard',
    client: 'its messages, and the audio behind them, wait in the front',
  },
  waitingPerSlot: {
    value: 1_048_576,
    unit: 'bytes',
    bounds:
      'Messages of one stream that wait in the front for their ring, beyond what its user may send at once (`TEXT_BURST`, `IMAGE_BURST`): the shard may stand still just then.',
    protects: 'the memory of the front',
    client: 'close 1008 `texts_over_budget`; audio is dropped',
  },
  waitingPerShard: {
    value: 16_777_216,
    unit: 'bytes',
    bounds:
      'Messages of all streams of a shard that wait, or twice what one stream may let wait where that is more; beyond it a stream with more than 4 KiB waiting gets no more.',
    protects: 'the memory of the front',
    client: 'close 1013 `overloaded`; audio is dropped',
  },
  spareDescriptors: {
    value: 1024,
    unit: 'descriptors',
    bounds:
      'File descriptors of the engine (`ulimit -n`) that connections of clients leave free; a quarter of them where that is less. Linux only.',
    protects: 'open streams: the database, the spill, and threads and processes that start anew',
    client: 'a new connection is refused or closed at once',
  },
  refusedBodies: {
    value: 100,
    unit: 'requests',
    bounds: 'Refused requests with `Connection: close` whose bodies are taken before they are answered.',
    protects: 'memory of the engine from clients that are refused',
    client: 'the answer at once, which a client that still writes may not see',
  },
  refusedBodyTime: {
    value: 4000,
    unit: 'ms',
    bounds: 'Time for which such an answer waits for the body.',
    protects: 'the places of `refusedBodies`',
    client: 'the answer before the body has arrived',
  },
  brokenOffRequest: {
    value: 1000,
    unit: 'ms',
    bounds: 'Time for which a request keeps its place after its client left in the middle of the body.',
    protects: 'the sidecar from clients that leave and come again',
    client: 'HTTP 503 `overloaded` on further requests',
  },
  bodyGrace: {
    value: 10_000,
    unit: 'ms',
    bounds: 'Time before the rate of a request body is judged (`SLOWEST_BODY`).',
    protects: 'the places of other requests',
    client: 'HTTP 408 `body_too_slow`',
  },
  answerWait: {
    value: 10_000,
    unit: 'ms',
    bounds:
      'Time for which a request waits for memory of a large answer (`ANSWER_MEMORY`, `ANSWER_USER_MEMORY`).',
    protects: 'the places of other requests',
    client: 'HTTP 429 `answers_limited`, or 503 `answers_full`, with `Retry-After`',
  },
  answerStall: {
    value: 30_000,
    unit: 'ms',
    bounds: 'Time for which a client may read nothing of an answer.',
    protects: 'the places of other requests',
    client: 'the connection is cut',
  },
  answerRate: {
    value: 4096,
    unit: 'bytes a second',
    bounds:
      'Slowest rate at which a client may read an answer, over the time it makes the answer wait beyond `answerStall`.',
    protects: 'the places of other requests',
    client: 'the connection is cut',
  },
  decoderFaults: {
    value: 6,
    unit: 'times in 10 minutes',
    bounds: 'Utterances of a user that end or block the transcriber process.',
    protects: 'the turns of other users, who wait for each restart',
    client:
      'nothing at once; further utterances of the user are retained on disk until the earliest is 10 minutes old',
  },
  transcriptionFrame: {
    value: 1_048_576,
    unit: 'bytes',
    bounds: 'A message to or from the transcription service; 28 s of audio take 0.9 MB.',
    protects: 'memory of the transcription service and of its clients',
    client: 'nothing; a process that sends more loses its connection',
  },
  transcriptionConnections: {
    value: 128,
    unit: 'connections',
    bounds: 'Processes that use the transcription service at once.',
    protects: 'memory of the transcription service',
    client: 'nothing; a process more is refused, and retains its audio',
  },
  transcriptionRequests: {
    value: 4096,
    unit: 'requests',
    bounds: 'Requests of one process that the transcription service has not answered.',
    protects: 'memory of the transcription service',
    client: 'nothing at once; the audio of what is over it is retained',
  },
  transcriptionUnread: {
    value: 4_194_304,
    unit: 'bytes',
    bounds:
      'Answers of the transcription service that a process has not read, 512 bytes counted for each beside its own.',
    protects: 'memory of the transcription service',
    client: 'nothing; the process loses its connection and sends its requests again',
  },
  rejectedEntries: {
    value: 67_108_864,
    unit: 'bytes',
    bounds: 'Journal entries that the database refuses for good, kept below the spill.',
    protects: 'the disk, from one user whose segments are refused again and again',
    client:
      'its segments are not sent, as if another engine had the conversation; other users notice nothing',
  },
  awaitedConversations: {
    value: 64,
    unit: 'conversations',
    bounds: 'Ended conversations whose summary one socket waits for.',
    protects: 'memory of the engine while the sidecar is away',
    client: 'no `memory_created` for the oldest of them',
  },
  retainedWaiting: {
    value: 33_554_432,
    unit: 'bytes',
    bounds: 'Audio to be retained that waits for the disk, beside a full queue of the transcriber.',
    protects: 'memory of the engine',
    client: '`stt_failed` and close 1011 on the stream whose audio has no place',
  },
  retainedWaitingUser: {
    value: 8_388_608,
    unit: 'bytes',
    bounds: 'Part of `retainedWaiting` that one user may take.',
    protects: 'audio of other users that has to be retained',
    client: '`stt_failed` and close 1011 on the stream whose audio has no place',
  },
  vectorsPerUser: {
    value: 50_000,
    unit: 'records',
    bounds:
      'Records of one kind of a user that a search compares by their meaning, those with the highest ids; the others are found by their words.',
    protects: 'memory and time of the sidecar, from one user',
    client: 'nothing',
  },
  searchQuery: {
    value: 1000,
    unit: 'characters',
    bounds: 'Query of a search, or a question.',
    protects: 'the time of the sentence model and of the database',
    client: 'HTTP 422 `validation_failed`',
  },
  ...searchLimits,
  embeddedTexts: {
    value: 1024,
    unit: 'texts',
    bounds: 'Texts of all users that wait for the sentence model.',
    protects: 'memory of the sidecar, and the time that a search waits',
    client: 'nothing; a search compares words alone, and says so (`semantic`)',
  },
  embeddedTextsPerUser: {
    value: 256,
    unit: 'texts',
    bounds: 'Texts of one user that wait for the sentence model; users take turns.',
    protects: 'the searches of other users',
    client: 'nothing; a search compares words alone, and says so (`semantic`)',
  },
  questionsPerUser: {
    value: 4,
    unit: 'questions',
    bounds: 'Questions of one user that a sidecar answers at once.',
    protects: 'the sentence model, the language model and the database, from one user',
    client: 'HTTP 429 `questions_limited` with `Retry-After`',
  },
  questions: {
    value: 16,
    unit: 'questions',
    bounds:
      'Questions that a sidecar answers at once, with those that wait for the language model: a quarter of the usual MAX_PROXIED. Each takes one of its places.',
    protects: 'other requests, which need places of the front, too',
    client: 'HTTP 503 `questions_full` with `Retry-After`',
  },
  chatMessage: {
    value: 4000,
    unit: 'characters',
    bounds: 'A written message of a chat.',
    protects: 'the tokens of the language model, and the time of the search',
    client: 'HTTP 422 `validation_failed`',
  },
  longBodiesPerUser: {
    value: 16_777_216,
    unit: 'bytes',
    bounds: 'Bodies of one user of more than 32 KiB each that wait for their turn, or have it.',
    protects: 'memory of the sidecar',
    client: 'HTTP 503 `texts_full` with `Retry-After`',
  },
  longBodies: {
    value: 134_217_728,
    unit: 'bytes',
    bounds:
      'Bodies of all users of more than 32 KiB each that wait for their turn, or have it. Where they are more, the user with the most bytes loses the last that waits.',
    protects: 'memory of the sidecar',
    client: 'HTTP 503 `texts_full` with `Retry-After`',
  },
  comparedWords: {
    value: 100_000,
    unit: 'words',
    bounds:
      'Words of each of two transcripts that are compared with the other: of two devices, or of a recording and its conversation. Characters of a script without spaces count as words.',
    protects: 'the memory of the sidecar, and its thread',
    client:
      'nothing; longer transcripts of two devices stay two conversations, and later words of a recording are kept without a comparison',
  },
  ruledText: {
    value: 200_000,
    unit: 'characters',
    bounds:
      'Text of a conversation that the built-in rules read, each segment counted as 20 at least; of a longer one the beginning.',
    protects: 'the thread for texts, from one long conversation',
    client: 'nothing; what was said later is not in the summary',
  },
  textTasks: {
    value: 128,
    unit: 'texts',
    bounds: 'Texts of all users that wait for the thread that reads them.',
    protects: 'memory of the sidecar',
    client: 'HTTP 503 `texts_full` with `Retry-After`',
  },
  textTasksPerUser: {
    value: 32,
    unit: 'texts',
    bounds: 'Texts of one user that wait for the thread that reads them; users take turns.',
    protects: 'the texts of other users',
    client: 'HTTP 503 `texts_full` with `Retry-After`',
  },
  textTaskTime: {
    value: 60_000,
    unit: 'ms',
    bounds: 'Time that the thread may take for a text; then it is ended and starts again.',
    protects: 'the texts of other users',
    client: 'HTTP 503 `text_given_up`; a job is repeated',
  },
  jsonValues: {
    value: 20_000,
    unit: 'values',
    bounds: 'Values in a JSON body of more than 32 KiB, with all that they hold.',
    protects: 'the thread of the sidecar, which reads and checks them',
    client: 'HTTP 422 with `json_too_many_values`',
  },
  jsonDepth: {
    value: 1000,
    unit: 'levels',
    bounds: 'Lists and objects in each other in a JSON body of more than 32 KiB.',
    protects: 'the thread of the sidecar, which hands them on',
    client: 'HTTP 422 with `json_too_deep`',
  },
  memoriesPerUser: {
    value: 20_000,
    unit: 'memories',
    bounds:
      'Memories of a user that are shown; requests at the same moment may pass it by what they create, and a sidecar by a sixteenth of what was left when it counted them last, an hour before at most.',
    protects: 'the disk of the database, from one user',
    client: 'HTTP 409 `records_full`',
  },
  actionItemsPerUser: {
    value: 20_000,
    unit: 'action items',
    bounds:
      'Action items of a user that are not locked; requests at the same moment may pass it by what they create.',
    protects: 'the disk of the database, from one user',
    client: 'HTTP 409 `records_full`',
  },
  goalsPerUser: {
    value: 1000,
    unit: 'goals',
    bounds: 'Goals of a user, whether active or not.',
    protects: 'the disk of the database, from one user',
    client: 'HTTP 409 `records_full`',
  },
  ...signInLimits,
} as const satisfies Record<string, FixedLimit>;
