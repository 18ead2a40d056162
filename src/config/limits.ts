import { searchLimits } from './search-limits.js';
import { signInLimits } from './sign-in-limits.js';
import { toolLimits } from './tool-limits.js';

/** Texts about one limit on the page of limits. */
export interface LimitWords {
  /** What would be harmed without the limit. */
  readonly protects: string;
  /** What a client sees when it exceeds the limit. */
  readonly client: string;
  /** Path of the test file that exceeds the limit, relative to the checkout. */
  readonly test: string;
}

/** A limit that is a constant of the program rather than a setting. */
export interface FixedLimit extends LimitWords {
  readonly value: number;
  readonly unit: string;
  /** What the limit counts. */
  readonly bounds: string;
}

/**
 * Limits that an operator cannot change. The code that enforces a limit reads its value from this table. `docs/limits.md` is
 * generated from this table and from the settings that carry `limit`.
 */
export const fixedLimits = {
  ...toolLimits,
  authMessage: {
    value: 16_384,
    unit: 'bytes',
    bounds: 'Longest auth message. It is the only text that the front parses.',
    protects: 'the main thread',
    client: 'close 1008 `web_auth_invalid`; on an open socket it is an ordinary text',
    test: 'test/front/web-auth.test.ts',
  },
  unownedAudio: {
    value: 1_048_576,
    unit: 'bytes',
    bounds:
      'Audio that a socket may send before it has authenticated, 512 bytes at least for each message; it is not kept.',
    protects: 'the network and the main thread',
    client: 'close 1008 `audio_before_auth`',
    test: 'test/front/web-auth.test.ts',
  },
  textCost: {
    value: 512,
    unit: 'bytes',
    bounds: 'Bytes that a shorter text counts against `TEXT_BURST` and `TEXT_RATE`.',
    protects: 'the main thread from floods of empty texts',
    client: 'close 1008 `text_flood`',
    test: 'test/front/text-budget.test.ts',
  },
  messageBurst: {
    value: 100_000,
    unit: 'messages',
    bounds: 'Binary messages of any size that one user may send at once, on all its sockets together.',
    protects: 'the main thread, which every stream shares, from floods of tiny messages',
    client: 'close 1008 `message_flood`',
    test: 'test/front/user-budget.test.ts',
  },
  messageRate: {
    value: 10_000,
    unit: 'messages a second',
    bounds: 'Binary messages that one user may send beyond `messageBurst`, in the long run.',
    protects: 'the main thread, which every stream shares, from floods of tiny messages',
    client: 'close 1008 `message_flood`',
    test: 'test/front/user-budget.test.ts',
  },
  voiceMessageRate: {
    value: 200,
    unit: 'messages a second',
    bounds:
      'Binary messages of a voice message that is being spoken, beyond `voiceMessageBurst`, in the long run.',
    protects: 'the main thread and its memory, from audio in tiny pieces that wait for the sidecar',
    client: 'close 1008 `message_flood`',
    test: 'test/front/voice-streams.test.ts',
  },
  voiceMessageBurst: {
    value: 10_000,
    unit: 'messages',
    bounds: 'Binary messages of a voice message that is being spoken, at once.',
    protects: 'the same',
    client: 'close 1008 `message_flood`',
    test: 'test/front/voice-streams.test.ts',
  },
  violationOpens: {
    value: 15,
    unit: 'opens',
    bounds:
      'What a stream that is closed because its client flooded or broke a rule in a text costs its user of `MAX_OPENS_PER_USER`, beside its own open.',
    protects: 'the engine from clients that flood, are closed, and come again at once',
    client: 'HTTP 429 `opens_limited` with `Retry-After`; close 1013 on the web route',
    test: 'test/front/churn.test.ts',
  },
  unreadBytes: {
    value: 1_048_576,
    unit: 'bytes',
    bounds: 'Messages to a client that it has not read.',
    protects: 'memory',
    client: 'close 1008 `slow_reader`; the connection is cut some seconds later when it still does not read',
    test: 'test/front/lifecycle.test.ts',
  },
  payload: {
    value: 1_310_720,
    unit: 'bytes',
    bounds: 'A message of any kind, as the listener accepts it; the limits of frames and texts are lower.',
    protects: 'memory',
    client: 'with uWebSockets.js the connection ends without a close frame (1006), with ws close 1009',
    test: 'test/front/refusals.test.ts',
  },
  handshakeQuery: {
    value: 4096,
    unit: 'characters',
    bounds: 'Query of an upgrade.',
    protects: 'memory and the main thread',
    client: 'HTTP 431 `handshake_too_long`',
    test: 'test/front/refusals.test.ts',
  },
  handshakeAuthorization: {
    value: 8192,
    unit: 'characters',
    bounds: '`Authorization` of an upgrade.',
    protects: 'memory and the main thread',
    client: 'HTTP 431 `handshake_too_long`',
    test: 'test/front/refusals.test.ts',
  },
  handshakeHeader: {
    value: 512,
    unit: 'characters',
    bounds: 'Every other header of an upgrade that is read.',
    protects: 'memory and the main thread',
    client: 'HTTP 431 `handshake_too_long`',
    test: 'test/front/refusals.test.ts',
  },
  abandonedShards: {
    value: 2,
    unit: 'threads',
    bounds: 'Threads of lost shards that hang in native code; with one more the engine process restarts.',
    protects: 'the memory of the machine: such a thread keeps what it holds',
    client: 'close 1001 `shutdown`; after a reconnect the conversation goes on',
    test: 'test/engine/shard-place.test.ts',
  },
  segmentText: {
    value: 2000,
    unit: 'characters',
    bounds: 'Text of a live segment; a longer one is cut between words.',
    protects: 'database and sockets, to which a segment that changes is written again',
    client: 'several segments',
    test: 'test/transcript/bounds.test.ts',
  },
  segmentDuration: {
    value: 60,
    unit: 's',
    bounds:
      'Time over which segments are joined; what lasts longer is cut into pieces of 200 characters at least.',
    protects: 'database and sockets, to which a segment that changes is written again',
    client: 'several segments',
    test: 'test/transcript/bounds.test.ts',
  },
  conversationSize: {
    value: 2_097_152,
    unit: 'characters',
    bounds: 'A live conversation: the characters of its texts and names, and 256 more for each segment.',
    protects: 'the shards and the sidecar, which read a conversation as a whole',
    client: 'the conversation ends as if it had fallen silent; the next words begin another',
    test: 'test/engine/conversation-size.test.ts',
  },
  suggestedSegments: {
    value: 500,
    unit: 'segments',
    bounds: 'Segments in one `suggested_transcript`, and segments it makes where long texts are cut.',
    protects: 'the time of a shard, which all its streams share',
    client: '`service_status` `message_refused`; nothing of the message is taken',
    test: 'test/engine/client-texts.test.ts',
  },
  assignedSegments: {
    value: 1000,
    unit: 'ids',
    bounds: 'Segment ids in one `speaker_assigned`.',
    protects: 'the memory of a conversation',
    client: '`service_status` `message_refused`; nothing of the message is taken',
    test: 'test/engine/client-texts.test.ts',
  },
  textsReadRate: {
    value: 131_072,
    unit: 'bytes a second',
    bounds:
      'Text messages of one stream that are read, 256 bytes counted for each beside its own; without image data.',
    protects: 'the time of a shard, which all its streams share',
    client: 'its messages are read later, in their order',
    test: 'test/engine/text-budget.test.ts',
  },
  textsReadBurst: {
    value: 262_144,
    unit: 'bytes',
    bounds:
      'Text messages of one stream that are read at once, beyond `textsReadRate`; at least twice `MAX_TEXT`.',
    protects: 'the audio of the other streams of a shard',
    client: 'its messages are read later, in their order',
    test: 'test/engine/text-budget.test.ts',
  },
  suggestedRate: {
    value: 5,
    unit: 'segments a second',
    bounds:
      'Segments that the texts of one stream make (`suggested_transcript`) or change (`speaker_assigned`, one more for each), beyond `suggestedBurst` at once; a message is read whole as soon as one is left. Speech has one in a second or two.',
    protects: 'the time of a shard and the database, which every segment is written to',
    client: 'its next messages are read later, in their order',
    test: 'test/engine/text-cost.test.ts',
  },
  suggestedBurst: {
    value: 50,
    unit: 'segments',
    bounds: 'Segments of that kind at once, of one stream by itself.',
    protects: 'the audio of all streams of a shard',
    client: 'its next messages are read later, in their order',
    test: 'test/engine/text-cost.test.ts',
  },
  sharedBurst: {
    value: 1000,
    unit: 'segments',
    bounds:
      'Segments of that kind at once, of all streams of a shard together, beyond what each may by itself.',
    protects: 'the audio of all streams of a shard',
    client: 'its next messages are read as fast as `suggestedRate` allows',
    test: 'test/engine/text-cost.test.ts',
  },
  sharedRate: {
    value: 20,
    unit: 'segments a second',
    bounds: 'Segments of that kind, of all streams of a shard together, beyond `sharedBurst`.',
    protects: 'the audio of all streams of a shard',
    client: 'its next messages are read as fast as `suggestedRate` allows',
    test: 'test/engine/text-cost.test.ts',
  },
  closingRate: {
    value: 500,
    unit: 'segments a second',
    bounds:
      'Segments that texts of streams whose socket is gone make, of all these on a shard together, beyond `suggestedRate` of each.',
    protects: 'the time of a shard and the database, which every segment is written to',
    client: 'its last messages are stored later; what is not read after some minutes is given up',
    test: 'test/engine/text-closing.test.ts',
  },
  textsTime: {
    value: 6,
    unit: '%',
    bounds: 'Time of a shard for reading texts, of all its streams together, unless it drains.',
    protects: 'the audio of all streams of a shard',
    client: 'its messages are read later, in their order',
    test: 'test/engine/text-turns.test.ts',
  },
  textsUnread: {
    value: 1_048_576,
    unit: 'bytes',
    bounds: 'Text messages of one stream that wait to be read; at least twice `MAX_TEXT`.',
    protects: 'the memory of a shard',
    client: 'close 1008 `texts_over_budget`',
    test: 'test/engine/text-budget.test.ts',
  },
  textsUnreadPerShard: {
    value: 33_554_432,
    unit: 'bytes',
    bounds: 'Text messages of all streams of a shard that wait to be read.',
    protects: 'the memory of a shard',
    client:
      'close 1013 `overloaded` for the stream with the most; if its socket is gone its texts are given up',
    test: 'test/engine/text-memory.test.ts',
  },
  imagesUnfinished: {
    value: 50,
    unit: 'images',
    bounds: 'Images of one stream of which chunks are missing.',
    protects: 'the memory of a shard',
    client: 'nothing; the image whose last chunk came longest ago is forgotten',
    test: 'test/engine/images.test.ts',
  },
  imageTimeout: {
    value: 60_000,
    unit: 'ms',
    bounds: 'Time without another chunk after which an unfinished image is forgotten.',
    protects: 'the memory of a shard',
    client: 'nothing; chunks that come later begin another image',
    test: 'test/engine/images.test.ts',
  },
  imagesHeldPerUser: {
    value: 16_777_216,
    unit: 'bytes',
    bounds: 'Chunks of images of one user on a shard, in base64, until the images are stored.',
    protects: 'the images of other users',
    client: '`service_status` `message_refused`, reason `images_waiting`; the image is not stored',
    test: 'test/engine/images.test.ts',
  },
  imagesHeldPerShard: {
    value: 67_108_864,
    unit: 'bytes',
    bounds:
      'Chunks of images of all users on a shard, in base64, until the images are stored. When it is full the user with most gives up unfinished images for those with less.',
    protects: 'the memory of the engine',
    client: '`service_status` `message_refused`, reason `images_waiting`; the image is not stored',
    test: 'test/engine/images.test.ts',
  },
  photosAwaited: {
    value: 100,
    unit: 'images',
    bounds: 'Images of one stream whose descriptions it is waiting for, each for an hour at most.',
    protects: 'the memory of a shard, and the database, which is asked about them',
    client: 'no `photo_described` for the oldest; REST has the description',
    test: 'test/engine/photo-watch.test.ts',
  },
  photosPerConversation: {
    value: 500,
    unit: 'images',
    bounds: 'Images of one conversation.',
    protects: 'answers and events, which list the images of a conversation',
    client: '`service_status` `message_refused`, reason `no_space`; the image is not stored',
    test: 'test/store/photos.test.ts',
  },
  audioWaitingPerUser: {
    value: 16_777_216,
    unit: 'bytes',
    bounds: 'Audio of all streams of a user that came faster than it is decoded, on each shard.',
    protects: 'the memory of a shard',
    client: '`service_status` `audio_dropped`; its frames are dropped',
    test: 'test/engine/audio-backlogs.test.ts',
  },
  audioWaitingPerShard: {
    value: 67_108_864,
    unit: 'bytes',
    bounds:
      'Audio of all streams of a shard that came faster than it is decoded; beyond it a user gets no more who has more than an equal part of it waiting. With what users below their part have it may be twice as much.',
    protects: 'the memory of a shard',
    client: '`service_status` `audio_dropped`; its frames are dropped',
    test: 'test/engine/audio-backlogs.test.ts',
  },
  textsInRing: {
    value: 25,
    unit: '%',
    bounds: 'Share of `RING_SIZE` that text messages of all streams of a shard may take.',
    protects: 'the space that audio needs in a ring',
    client: 'its messages, and the audio behind them, wait in the front',
    test: 'test/front/control-queue.test.ts',
  },
  textsInRingPerSlot: {
    value: 12.5,
    unit: '%',
    bounds: 'Share of `RING_SIZE` that text messages of one stream may take.',
    protects: 'the text messages of the other streams of a shard',
    client: 'its messages, and the audio behind them, wait in the front',
    test: 'test/front/control-queue.test.ts',
  },
  waitingPerSlot: {
    value: 1_048_576,
    unit: 'bytes',
    bounds:
      'Messages of one stream that wait in the front for their ring, beyond what its user may send at once (`TEXT_BURST`, `IMAGE_BURST`): the shard may stand still just then.',
    protects: 'the memory of the front',
    client: 'close 1008 `texts_over_budget`; audio is dropped',
    test: 'test/front/control-queue.test.ts',
  },
  waitingPerShard: {
    value: 16_777_216,
    unit: 'bytes',
    bounds:
      'Messages of all streams of a shard that wait, or twice what one stream may let wait where that is more; beyond it a stream with more than 4 KiB waiting gets no more.',
    protects: 'the memory of the front',
    client: 'close 1013 `overloaded`; audio is dropped',
    test: 'test/front/control-queue.test.ts',
  },
  spareDescriptors: {
    value: 1024,
    unit: 'descriptors',
    bounds:
      'File descriptors that connections of clients may not take, of those that the engine may have (`ulimit -n`); a quarter of them where that is less. Linux only.',
    protects: 'open streams: the database, the spill, and threads and processes that start anew',
    client: 'a new connection is refused or closed at once',
    test: 'test/front/descriptors.test.ts',
  },
  refusedBodies: {
    value: 100,
    unit: 'requests',
    bounds: 'Refused requests with `Connection: close` whose bodies are taken before they are answered.',
    protects: 'memory of the engine from clients that are refused',
    client: 'the answer at once, which a client that still writes may not see',
    test: 'test/front/refused-bodies.test.ts',
  },
  refusedBodyTime: {
    value: 4000,
    unit: 'ms',
    bounds: 'Time for which such an answer waits for the body.',
    protects: 'the places of `refusedBodies`',
    client: 'the answer before the body has arrived',
    test: 'test/front/refused-bodies.test.ts',
  },
  brokenOffRequest: {
    value: 1000,
    unit: 'ms',
    bounds: 'Time for which a request keeps its place after its client left in the middle of the body.',
    protects: 'the sidecar from clients that leave and come again',
    client: 'HTTP 503 `overloaded` on further requests',
    test: 'test/front/exchange.test.ts',
  },
  bodyGrace: {
    value: 10_000,
    unit: 'ms',
    bounds: 'Time before the rate of a request body is judged (`SLOWEST_BODY`).',
    protects: 'the places of other requests',
    client: 'HTTP 408 `body_too_slow`',
    test: 'test/front/exchange.test.ts',
  },
  answerWait: {
    value: 10_000,
    unit: 'ms',
    bounds:
      'Time for which a request waits for memory of a large answer (`ANSWER_MEMORY`, `ANSWER_USER_MEMORY`).',
    protects: 'the places of other requests',
    client: 'HTTP 429 `answers_limited`, or 503 `answers_full`, with `Retry-After`',
    test: 'test/sidecar/answer-memory.test.ts',
  },
  answerStall: {
    value: 30_000,
    unit: 'ms',
    bounds: 'Time for which a client may read nothing of an answer.',
    protects: 'the places of other requests',
    client: 'the connection is cut',
    test: 'test/front/exchange.test.ts',
  },
  answerRate: {
    value: 4096,
    unit: 'bytes a second',
    bounds:
      'Slowest rate at which a client may read an answer, over the time it makes the answer wait beyond `answerStall`.',
    protects: 'the places of other requests',
    client: 'the connection is cut',
    test: 'test/front/exchange.test.ts',
  },
  decoderFaults: {
    value: 6,
    unit: 'times in 10 minutes',
    bounds: 'Utterances of a user that end or block the transcriber process.',
    protects: 'the turns of other users, who wait for each restart',
    client:
      'nothing at once; further utterances of the user are retained on disk until the earliest is 10 minutes old',
    test: 'test/stt/decode-schedule.test.ts',
  },
  transcriptionFrame: {
    value: 1_048_576,
    unit: 'bytes',
    bounds: 'A message to or from the transcription service; 28 s of audio take 0.9 MB.',
    protects: 'memory of the transcription service and of its clients',
    client: 'nothing; a process that sends more loses its connection',
    test: 'test/stt/transcription-service.test.ts',
  },
  transcriptionConnections: {
    value: 128,
    unit: 'connections',
    bounds: 'Processes that use the transcription service at once.',
    protects: 'memory of the transcription service',
    client: 'nothing; a process more is refused, and retains its audio',
    test: 'test/stt/transcription-service.test.ts',
  },
  transcriptionRequests: {
    value: 4096,
    unit: 'requests',
    bounds: 'Requests of one process that the transcription service has not answered.',
    protects: 'memory of the transcription service',
    client: 'nothing at once; the audio of what is over it is retained',
    test: 'test/stt/transcription-service.test.ts',
  },
  transcriptionUnread: {
    value: 4_194_304,
    unit: 'bytes',
    bounds:
      'Answers of the transcription service that a process has not read, 512 bytes counted for each beside its own.',
    protects: 'memory of the transcription service',
    client: 'nothing; the process loses its connection and sends its requests again',
    test: 'test/stt/transcription-service.test.ts',
  },
  rejectedEntries: {
    value: 67_108_864,
    unit: 'bytes',
    bounds: 'Journal entries that the database refuses for good, kept below the spill.',
    protects: 'the disk, from one user whose segments are refused again and again',
    client:
      'its segments are not sent, as if another engine had the conversation; other users notice nothing',
    test: 'test/journal/poison.test.ts',
  },
  awaitedConversations: {
    value: 64,
    unit: 'conversations',
    bounds: 'Ended conversations whose summary one socket waits for.',
    protects: 'memory of the engine while the sidecar is away',
    client: 'no `memory_created` for the oldest of them',
    test: 'test/engine/silence.test.ts',
  },
  retainedWaiting: {
    value: 33_554_432,
    unit: 'bytes',
    bounds: 'Audio to be retained that waits for the disk, beside a full queue of the transcriber.',
    protects: 'memory of the engine',
    client: '`stt_failed` and close 1011 on the stream whose audio has no place',
    test: 'test/stt/retained-store.test.ts',
  },
  retainedWaitingUser: {
    value: 8_388_608,
    unit: 'bytes',
    bounds: 'Part of `retainedWaiting` that one user may take.',
    protects: 'audio of other users that has to be retained',
    client: '`stt_failed` and close 1011 on the stream whose audio has no place',
    test: 'test/stt/retained-store.test.ts',
  },
  vectorsPerUser: {
    value: 50_000,
    unit: 'records',
    bounds:
      'Records of one kind of a user that a search compares by their meaning, those with the highest ids; the others are found by their words.',
    protects: 'memory and time of the sidecar, from one user',
    client: 'nothing',
    test: 'test/service/vector-cache.test.ts',
  },
  searchQuery: {
    value: 1000,
    unit: 'characters',
    bounds: 'Query of a search, or a question.',
    protects: 'the time of the sentence model and of the database',
    client: 'HTTP 422 `validation_failed`',
    test: 'test/sidecar/search.test.ts',
  },
  ...searchLimits,
  embeddedTexts: {
    value: 1024,
    unit: 'texts',
    bounds: 'Texts of all users that wait for the sentence model.',
    protects: 'memory of the sidecar, and the time that a search waits',
    client: 'nothing; a search compares words alone, and says so (`semantic`)',
    test: 'test/service/embed-turns.test.ts',
  },
  embeddedTextsPerUser: {
    value: 256,
    unit: 'texts',
    bounds: 'Texts of one user that wait for the sentence model; users take turns.',
    protects: 'the searches of other users',
    client: 'nothing; a search compares words alone, and says so (`semantic`)',
    test: 'test/service/embed-turns.test.ts',
  },
  questionsPerUser: {
    value: 4,
    unit: 'questions',
    bounds: 'Questions of one user that a sidecar answers at once.',
    protects: 'the sentence model, the language model and the database, from one user',
    client: 'HTTP 429 `questions_limited` with `Retry-After`',
    test: 'test/sidecar/ask.test.ts',
  },
  questions: {
    value: 16,
    unit: 'questions',
    bounds:
      'Questions that a sidecar answers at once, those included that wait for the language model: a quarter of the usual MAX_PROXIED, of which each takes a place.',
    protects: 'other requests, which need places of the front, too',
    client: 'HTTP 503 `questions_full` with `Retry-After`',
    test: 'test/sidecar/ask.test.ts',
  },
  chatMessage: {
    value: 4000,
    unit: 'characters',
    bounds: 'A written message of a chat.',
    protects: 'the tokens of the language model, and the time of the search',
    client: 'HTTP 422 `validation_failed`',
    test: 'test/sidecar/chat.test.ts',
  },
  memoriesPerUser: {
    value: 20_000,
    unit: 'memories',
    bounds:
      'Memories of a user that are shown; requests at the same moment may pass it by what they create, and a sidecar by a sixteenth of what was left when it counted them last, an hour before at most.',
    protects: 'the disk of the database, from one user',
    client: 'HTTP 409 `records_full`',
    test: 'test/service/records-full.test.ts',
  },
  actionItemsPerUser: {
    value: 20_000,
    unit: 'action items',
    bounds:
      'Action items of a user that are not locked; requests at the same moment may pass it by what they create.',
    protects: 'the disk of the database, from one user',
    client: 'HTTP 409 `records_full`',
    test: 'test/service/records-full.test.ts',
  },
  goalsPerUser: {
    value: 1000,
    unit: 'goals',
    bounds: 'Goals of a user, whether active or not.',
    protects: 'the disk of the database, from one user',
    client: 'HTTP 409 `records_full`',
    test: 'test/service/records-full.test.ts',
  },
  ...signInLimits,
} as const satisfies Record<string, FixedLimit>;
