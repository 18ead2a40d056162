import type { FixedLimit } from './fixed-limit.js';
import { searchLimits } from './search-limits.js';
import { signInLimits } from './sign-in-limits.js';
import { toolLimits } from './tool-limits.js';
import { undoLimits } from './undo-limits.js';

/**
 * Limits that an operator cannot change. The code that enforces a limit reads its value from this table. `docs/limits.md` is generated
 * from this table and from the settings with limit texts.
 */
export const fixedLimits = {
  ...toolLimits,
  authMessage: {
    value: 16_384,
    unit: 'bytes',
    bounds: 'Maximum size of an `auth` message. The front parses no other text.',
    protects: 'the main thread of the engine',
    client:
      'close 1008 `web_auth_invalid`; on an authenticated socket, a larger message is treated as an ordinary text',
  },
  unownedAudio: {
    value: 1_048_576,
    unit: 'bytes',
    bounds:
      'Maximum bytes of audio that a socket can send before it has authenticated. This audio is discarded. A message counts as at least 512 bytes.',
    protects: 'the network and the main thread',
    client: 'close 1008 `audio_before_auth`',
  },
  textCost: {
    value: 512,
    unit: 'bytes',
    bounds: 'Bytes as which a shorter text message counts in `TEXT_BURST` and `TEXT_RATE`.',
    protects: 'the main thread of the engine, from floods of empty texts',
    client: 'close 1008 `text_flood`',
  },
  messageBurst: {
    value: 100_000,
    unit: 'messages',
    bounds:
      'Maximum number of binary messages of any size that one user can send at once, on all sockets together.',
    protects: 'the main thread, which every stream shares, from floods of tiny messages',
    client: 'close 1008 `message_flood`',
  },
  messageRate: {
    value: 10_000,
    unit: 'messages a second',
    bounds:
      'Binary messages that one user can send per second in the long run, in addition to `messageBurst`.',
    protects: 'the main thread, which every stream shares, from floods of tiny messages',
    client: 'close 1008 `message_flood`',
  },
  voiceMessageRate: {
    value: 200,
    unit: 'messages a second',
    bounds:
      'Binary messages of a live voice message per second in the long run, in addition to `voiceMessageBurst`.',
    protects: 'the main thread and its memory, from audio in tiny pieces that wait for the sidecar',
    client: 'close 1008 `message_flood`',
  },
  voiceMessageBurst: {
    value: 10_000,
    unit: 'messages',
    bounds: 'Maximum number of binary messages of a live voice message that can arrive at once.',
    protects: 'the main thread and its memory, from audio in tiny pieces that wait for the sidecar',
    client: 'close 1008 `message_flood`',
  },
  joinedFiles: {
    value: 20,
    unit: 'files',
    bounds:
      'Maximum number of files that a client has joined into one audio file. ffmpeg decodes each in a separate child process.',
    protects: 'the processor and the turns of other users at ffmpeg',
    client: 'HTTP 400 `stt_invalid_input`, or `recording_invalid`',
  },
  violationOpens: {
    value: 15,
    unit: 'opens',
    bounds:
      'Additional opens that count in `MAX_OPENS_PER_USER` when a stream is closed because of a flood or a bad text.',
    protects: 'the engine from clients that flood, are closed, and reconnect at once',
    client: 'HTTP 429 `opens_limited` with `Retry-After`; close 1013 on the web route',
  },
  unreadBytes: {
    value: 1_048_576,
    unit: 'bytes',
    bounds: 'Maximum size of messages to a client that the client has not read.',
    protects: 'memory of the engine',
    client:
      'close 1008 `slow_reader`; if the client still does not read, the connection is cut some seconds later',
  },
  payload: {
    value: 1_310_720,
    unit: 'bytes',
    bounds: 'Maximum size of any WebSocket message. The limits of frames and texts are lower.',
    protects: 'memory of the engine',
    client: 'with uWebSockets.js the connection ends without a close frame (1006), with ws close 1009',
  },
  handshakeQuery: {
    value: 4096,
    unit: 'characters',
    bounds: 'Maximum length of the query of a request for a WebSocket.',
    protects: 'memory and main thread of the engine',
    client: 'HTTP 431 `handshake_too_long`',
  },
  handshakeAuthorization: {
    value: 8192,
    unit: 'characters',
    bounds: 'Maximum length of the `Authorization` header of a request for a WebSocket.',
    protects: 'memory and main thread of the engine',
    client: 'HTTP 431 `handshake_too_long`',
  },
  handshakeHeader: {
    value: 512,
    unit: 'characters',
    bounds: 'Maximum length of every other header that the engine reads from a request for a WebSocket.',
    protects: 'memory and main thread of the engine',
    client: 'HTTP 431 `handshake_too_long`',
  },
  abandonedShards: {
    value: 2,
    unit: 'threads',
    bounds: 'Maximum number of shard threads that hang in native code. One more restarts the engine process.',
    protects: 'the memory of the machine, because a hanging thread frees nothing',
    client: 'close 1001 `shutdown`; after a reconnect the conversation continues',
  },
  segmentText: {
    value: 2000,
    unit: 'characters',
    bounds: 'Maximum length of the text of a segment on a stream. A longer text is divided between words.',
    protects: 'the database and the sockets, which get a changed segment again',
    client: 'the text arrives as several segments',
  },
  segmentDuration: {
    value: 60,
    unit: 's',
    bounds:
      'Maximum duration of a segment that is joined from several utterances. Longer speech is divided into segments of at least 200 characters.',
    protects: 'the database and the sockets, which get a changed segment again',
    client: 'the text arrives as several segments',
  },
  conversationSize: {
    value: 2_097_152,
    unit: 'characters',
    bounds:
      'Maximum size of a conversation in progress: characters of its texts and names, plus 256 for each segment.',
    protects: 'the shards and the sidecar, which load whole conversations',
    client: 'the conversation ends as after a silence; the next words begin another',
  },
  storedVoices: {
    value: 8192,
    unit: 'bytes',
    bounds:
      'Maximum size of the voices that an engine stores for the engine that continues the conversation. It is enough for 30 voices.',
    protects: 'the database',
    client: 'after a move to another engine, the speakers with the least speech get new numbers',
  },
  replacedPause: {
    value: 30_000,
    unit: 'ms',
    bounds:
      'Time after a stream was closed with `stream_replaced` in which a shard refuses further streams of its user, source and device. Ends early when the newer stream on the other engine ends.',
    protects: 'the database and the newer stream, when two devices with one key both reconnect at once',
    client: 'close 1012 `stream_replaced`; the client reconnects later',
  },
  suggestedSegments: {
    value: 500,
    unit: 'segments',
    bounds:
      'Maximum number of segments in one `suggested_transcript`, before and after long texts are divided.',
    protects: 'the time of a shard, which all its streams share',
    client: '`service_status` `message_refused`; the engine ignores the whole message',
  },
  providerFaults: {
    value: 3,
    unit: 'messages',
    bounds:
      'Consecutive unreadable messages of a streaming provider after which its connection ends. Fewer are skipped and counted.',
    protects: 'the words of a stream, from a provider that no longer sends usable messages',
    client: '`stt_failed`, or another provider takes over; untranscribed speech is retained',
  },
  assignedSegments: {
    value: 1000,
    unit: 'ids',
    bounds: 'Maximum number of segment ids in one `speaker_assigned`.',
    protects: 'the memory of a conversation',
    client: '`service_status` `message_refused`; the engine ignores the whole message',
  },
  namedSegments: {
    value: 10_000,
    unit: 'ids',
    bounds:
      'Maximum number of segment ids that all `speaker_assigned` of one conversation can name. A conversation has at most 8,192 segments.',
    protects: 'the memory of a shard, from ids of segments that do not exist',
    client:
      '`service_status` `message_refused` with `too_many_segment_ids`; the engine ignores the whole message',
  },
  keywords: {
    value: 100,
    unit: 'words',
    bounds:
      'Maximum number of words in a list of custom words, and in the words that are sent with an utterance. Blank and repeated words of a list count.',
    protects: 'the memory of shards and decoders, and the time to compare words',
    client:
      'REST 422; voice messages 400 `invalid_input`; a stream 403 `query_invalid`, or `service_status` `message_refused`, reason `too_many_words`',
  },
  keywordLength: {
    value: 50,
    unit: 'characters',
    bounds: 'Maximum length of a custom word. A longer name of a person is not used as a custom word.',
    protects: 'the memory of shards and decoders, and the time to compare words',
    client:
      'REST 422; voice messages 400 `invalid_input`; a stream 403 `query_invalid`, or `service_status` `message_refused`, reason `word_too_long`',
  },
  streamClock: {
    value: 64,
    unit: 'characters',
    bounds: 'Maximum length of `stream_clock`.',
    protects: 'the database',
    client: '403 `query_invalid`',
  },
  clockPosition: {
    value: 1_000_000_000_000,
    unit: 'ms',
    bounds: 'Largest position `clock_at` that a device may state.',
    protects: 'the exactness of positions',
    client: '403 `query_invalid`',
  },
  clockConversations: {
    value: 100,
    unit: 'conversations',
    bounds:
      'Number of the newest conversations of a user among which the stored position of a clock is searched.',
    protects: 'the database',
    client: 'nothing; in an older conversation, the position that the device states counts',
  },
  clocksPerUser: {
    value: 1000,
    unit: 'clocks',
    bounds: 'Recording clocks of a user, newest first, whose streams are stored',
    protects: 'the database',
    client: 'nothing; words of older recordings that are stored late may be stored twice',
  },
  clockStreams: {
    value: 16,
    unit: 'streams',
    bounds: 'Streams of a clock, newest first, whose first position is stored',
    protects: 'the database',
    client: 'nothing; words of older streams that are stored late may be stored twice',
  },
  clockWait: {
    value: 30_000,
    unit: 'ms',
    bounds:
      'In a fleet, longest wait of a stream with positions for an unavailable database, before its conversation, before `resume_at_ms` and before its first words.',
    protects: 'the availability of streams',
    client: 'the stream goes on in a new conversation; words of audio that is sent again may be stored twice',
  },
  textsReadRate: {
    value: 131_072,
    unit: 'bytes a second',
    bounds:
      'Bytes of text messages of one stream that a shard reads per second, without image data. A message counts as its length plus 256 bytes.',
    protects: 'the time of a shard, which all its streams share',
    client: "the client's messages are read later, in order",
  },
  textsReadBurst: {
    value: 262_144,
    unit: 'bytes',
    bounds:
      'Bytes of text messages of one stream that a shard reads at once, in addition to `textsReadRate`; at least twice `MAX_TEXT`.',
    protects: 'the audio of the other streams of a shard',
    client: "the client's messages are read later, in order",
  },
  suggestedRate: {
    value: 5,
    unit: 'segments a second',
    bounds:
      'Segments per second in the long run that text messages of one stream create or change, in addition to `suggestedBurst`. `suggested_transcript` creates segments; `speaker_assigned` changes segments and counts one more per message. The shard reads a whole message if at least one segment of the budget is left. Speech creates one segment in a second or two.',
    protects: 'the time of a shard and the database, which every segment is written to',
    client: "the client's next messages are read later, in order",
  },
  suggestedBurst: {
    value: 50,
    unit: 'segments',
    bounds: 'Maximum number of segments that text messages of one stream can create or change at once.',
    protects: 'the audio of all streams of a shard',
    client: "the client's next messages are read later, in order",
  },
  sharedBurst: {
    value: 1000,
    unit: 'segments',
    bounds:
      'Maximum number of segments that text messages of all streams of a shard can create or change at once. Each stream also has its own limit.',
    protects: 'the audio of all streams of a shard',
    client: "the client's next messages are read as fast as `suggestedRate` allows",
  },
  sharedRate: {
    value: 20,
    unit: 'segments a second',
    bounds:
      'Segments per second in the long run that text messages of all streams of a shard create or change, in addition to `sharedBurst`.',
    protects: 'the audio of all streams of a shard',
    client: "the client's next messages are read as fast as `suggestedRate` allows",
  },
  closingRate: {
    value: 500,
    unit: 'segments a second',
    bounds:
      'Segments per second that text messages of all closed streams of a shard create, in addition to `suggestedRate` of each stream.',
    protects: 'the time of a shard and the database, which every segment is written to',
    client: "the client's last messages are stored later; messages unread after some minutes are dropped",
  },
  textsTime: {
    value: 6,
    unit: '%',
    bounds:
      'Maximum share of its time in which a shard reads text messages of all its streams, unless it drains.',
    protects: 'the audio of all streams of a shard',
    client: "the client's messages are read later, in order",
  },
  textsUnread: {
    value: 1_048_576,
    unit: 'bytes',
    bounds: 'Maximum bytes of text messages of one stream that wait to be read; at least twice `MAX_TEXT`.',
    protects: 'the memory of a shard',
    client: 'close 1008 `texts_over_budget`',
  },
  textsUnreadPerShard: {
    value: 33_554_432,
    unit: 'bytes',
    bounds: 'Maximum bytes of text messages of all streams of a shard that wait to be read.',
    protects: 'the memory of a shard',
    client:
      'close 1013 `overloaded` for the stream with the most waiting texts; texts of closed streams are dropped',
  },
  imagesUnfinished: {
    value: 50,
    unit: 'images',
    bounds: 'Maximum number of images of one stream that wait for further chunks.',
    protects: 'the memory of a shard',
    client: 'nothing; the image that has waited longest for a chunk is discarded',
  },
  imageTimeout: {
    value: 60_000,
    unit: 'ms',
    bounds: 'Time without another chunk after which an unfinished image is discarded.',
    protects: 'the memory of a shard',
    client: 'nothing; chunks that come later begin another image',
  },
  imagesHeldPerUser: {
    value: 16_777_216,
    unit: 'bytes',
    bounds: 'Maximum bytes of image chunks (base64) of one user on a shard, until the images are stored.',
    protects: 'the images of other users',
    client: '`service_status` `message_refused`, reason `images_waiting`; the image is not stored',
  },
  imagesHeldPerShard: {
    value: 67_108_864,
    unit: 'bytes',
    bounds:
      'Maximum bytes of image chunks (base64) of all users on a shard, until the images are stored. Beyond it, the user with the most chunks loses unfinished images in favour of other users.',
    protects: 'the memory of the engine',
    client: '`service_status` `message_refused`, reason `images_waiting`; the image is not stored',
  },
  photosAwaited: {
    value: 100,
    unit: 'images',
    bounds:
      'Maximum number of images of one stream that wait for their descriptions, each for at most an hour.',
    protects: 'the memory of a shard, and the database from its queries',
    client: 'no `photo_described` for the oldest; REST has the description',
  },
  photosPerConversation: {
    value: 500,
    unit: 'images',
    bounds: 'Maximum number of images of one conversation.',
    protects: 'answers and events, which list the images of a conversation',
    client: '`service_status` `message_refused`, reason `no_space`; the image is not stored',
  },
  audioSample: {
    value: 196_608,
    unit: 'bytes',
    bounds: 'Maximum size of a copy of the first 2 s of a stream, which is used to check the declared codec.',
    protects: 'the memory of a shard',
    client: 'nothing; less audio of the stream is checked',
  },
  audioSamples: {
    value: 16_777_216,
    unit: 'bytes',
    bounds: 'Maximum size of the copies of first audio (`audioSample`) of all streams of a shard.',
    protects: 'the memory of a shard',
    client: 'nothing; the audio is checked some seconds later',
  },
  audioSamplesWaiting: {
    value: 64,
    unit: 'samples',
    bounds:
      'Maximum number of copies of first audio (`audioSample`) of all streams of an engine that wait to be decoded with other codecs. At most 8 are of one user.',
    protects: 'the memory of an engine',
    client: 'nothing; the audio is checked some seconds later',
  },
  audioWaitingPerUser: {
    value: 16_777_216,
    unit: 'bytes',
    bounds: 'Maximum bytes of audio of all streams of a user that wait for decoding on each shard.',
    protects: 'the memory of a shard',
    client: '`service_status` `audio_dropped`; frames of the stream are dropped',
  },
  audioWaitingPerShard: {
    value: 67_108_864,
    unit: 'bytes',
    bounds:
      'Maximum bytes of audio of all streams of a shard that wait for decoding. Beyond it, users with more than an equal share get no more space. Users below their share may raise the total to twice this limit.',
    protects: 'the memory of a shard',
    client: '`service_status` `audio_dropped`; frames of the stream are dropped',
  },
  textsInRing: {
    value: 25,
    unit: '%',
    bounds: 'Maximum share of `RING_SIZE` that text messages of all streams of a shard take.',
    protects: 'the space that audio needs in a ring',
    client: "the client's messages, and audio sent after them, wait in the front",
  },
  textsInRingPerSlot: {
    value: 12.5,
    unit: '%',
    bounds: 'Maximum share of `RING_SIZE` that text messages of one stream take.',
    protects: 'the text messages of the other streams of a shard',
    client: "the client's messages, and audio sent after them, wait in the front",
  },
  waitingPerSlot: {
    value: 1_048_576,
    unit: 'bytes',
    bounds:
      'Maximum bytes of text messages of one stream that wait in the front for space in their ring, in addition to `TEXT_BURST` and `IMAGE_BURST`. The shard may be stalled at that moment.',
    protects: 'the memory of the front',
    client: 'close 1008 `texts_over_budget`',
  },
  waitingPerShard: {
    value: 16_777_216,
    unit: 'bytes',
    bounds:
      'Maximum bytes of text messages of all streams of a shard that wait in the front. The limit is at least twice the limit of one stream. Beyond it, streams with over 4 KiB waiting get no more space.',
    protects: 'the memory of the front',
    client: 'close 1013 `overloaded`',
  },
  frontAudioPerShard: {
    value: 16_777_216,
    unit: 'bytes',
    bounds:
      'Maximum bytes of audio of all streams of a shard that wait in the front while their ring is full. Beyond it, streams with over 4 KiB waiting get no more space.',
    protects: 'the memory of the front',
    client: 'audio is dropped; a stream with positions closes with 1013 `overloaded`',
  },
  frontAudioPerSlot: {
    value: 262_144,
    unit: 'bytes',
    bounds: 'Maximum bytes of audio of one stream that wait in the front while their ring is full.',
    protects: 'the audio of the other streams of a shard',
    client: 'audio is dropped; a stream with positions closes with 1013 `overloaded`',
  },
  spareDescriptors: {
    value: 1024,
    unit: 'descriptors',
    bounds:
      'Number of file descriptors of the engine (`ulimit -n`) that client connections cannot use; a quarter of all if that is less. Linux only.',
    protects: 'open streams: the database, the spill, and restarted threads and processes',
    client: 'a new connection is refused or closed at once',
  },
  refusedBodies: {
    value: 100,
    unit: 'requests',
    bounds:
      'Maximum number of refused requests with `Connection: close` whose bodies are read before the answer.',
    protects: 'memory of the engine from clients that are refused',
    client: 'the answer comes at once; a client that is still sending may miss the answer',
  },
  refusedBodyTime: {
    value: 4000,
    unit: 'ms',
    bounds: 'Maximum time for which the answer to a refused request waits for the body.',
    protects: 'the places of `refusedBodies`',
    client: 'the answer comes before the whole body was read',
  },
  brokenOffRequest: {
    value: 1000,
    unit: 'ms',
    bounds:
      'Time for which a request keeps its place after its client disconnected in the middle of the body.',
    protects: 'the sidecar from clients that disconnect and reconnect',
    client: 'HTTP 503 `overloaded` on further requests',
  },
  unpacedBody: {
    value: 262_144,
    unit: 'bytes',
    bounds: 'Beginning of a request body that the front passes on without waiting.',
    protects: 'short requests from the rate of long bodies',
    client: 'nothing',
  },
  bodyRate: {
    value: 33_554_432,
    unit: 'bytes a second',
    bounds: 'Rate at which one engine passes on long request bodies, all clients together.',
    protects: 'the main thread and the sidecar from many long bodies at once',
    client: 'the body is taken more slowly',
  },
  bodyBurst: {
    value: 524_288,
    unit: 'bytes',
    bounds: 'Bytes of long request bodies that an idle engine passes on at once.',
    protects: 'the main thread and the sidecar from many long bodies at once',
    client: 'the body is taken more slowly',
  },
  droppedBodyRate: {
    value: 8_388_608,
    unit: 'bytes a second',
    bounds:
      'Rate at which the listener on `node:http` drops bodies of refused requests, all clients together.',
    protects: 'the main thread from clients that repeat refused uploads',
    client: 'a client that first sends its whole body may miss the answer',
  },
  bodyGrace: {
    value: 10_000,
    unit: 'ms',
    bounds: 'Time before the rate of a request body is checked (`SLOWEST_BODY`).',
    protects: 'the places of other requests',
    client: 'HTTP 408 `body_too_slow`',
  },
  answerWait: {
    value: 10_000,
    unit: 'ms',
    bounds:
      'Maximum time for which a request waits for the memory of a large answer (`ANSWER_MEMORY`, `ANSWER_USER_MEMORY`).',
    protects: 'the places of other requests',
    client: 'HTTP 429 `answers_limited`, or 503 `answers_full`, with `Retry-After`',
  },
  answerStall: {
    value: 30_000,
    unit: 'ms',
    bounds: 'Maximum time in which a client reads nothing of an answer.',
    protects: 'the places of other requests',
    client: 'the connection is cut',
  },
  answerRate: {
    value: 4096,
    unit: 'bytes a second',
    bounds:
      'Minimum rate at which a client must read an answer. The rate is measured over the waiting time beyond `answerStall`.',
    protects: 'the places of other requests',
    client: 'the connection is cut',
  },
  decoderFaults: {
    value: 6,
    unit: 'times in 10 minutes',
    bounds: 'Maximum number of utterances of a user that crash or block a decoder process.',
    protects: 'other users, who wait while a decoder process restarts',
    client:
      'nothing immediately; further utterances of the user are stored and transcribed later, until the first fault is 10 minutes old',
  },
  nearWords: {
    value: 10,
    unit: 'words',
    bounds: 'Maximum number of words of an utterance that are compared with custom words by a second decode.',
    protects: 'the turns of other users, because each of these words costs a part of a decode',
    client: 'nothing; the words that sound most like custom words are compared',
  },
  nearLetters: {
    value: 5_000_000,
    unit: 'pairs of letters',
    bounds:
      'Maximum number of pairs of letters that are compared to find the words of an utterance that sound like custom words.',
    protects: 'the turns of other users, because the comparison occupies the thread of a decoder',
    client: 'nothing; the last custom words of the list are not compared',
  },
  transcriptionFrame: {
    value: 1_048_576,
    unit: 'bytes',
    bounds: 'Maximum size of a message to or from the transcription service; 28 s of audio take 0.9 MB.',
    protects: 'memory of the transcription service and of its clients',
    client: 'nothing; a process that sends more loses its connection',
  },
  transcriptionConnections: {
    value: 128,
    unit: 'connections',
    bounds: 'Maximum number of processes that use the transcription service at once.',
    protects: 'memory of the transcription service',
    client: 'nothing; a further process is refused and retains its audio',
  },
  transcriptionRequests: {
    value: 4096,
    unit: 'requests',
    bounds: 'Maximum number of requests of one process that the transcription service has not answered.',
    protects: 'memory of the transcription service',
    client: 'nothing at once; audio of further requests is retained',
  },
  transcriptionUnread: {
    value: 4_194_304,
    unit: 'bytes',
    bounds:
      'Maximum bytes of answers of the transcription service that a process has not read. An answer counts as its length plus 512 bytes.',
    protects: 'memory of the transcription service',
    client: 'nothing; the process loses its connection and sends its requests again',
  },
  busBacklog: {
    value: 262_144,
    unit: 'bytes',
    bounds:
      'Maximum bytes of events that a process has sent to the bus without a confirmation. Further events are dropped.',
    protects: 'the memory of engine and sidecar while a server of the bus does not read',
    client: 'nothing; other processes find the changes when they read the database',
  },
  busEvent: {
    value: 512,
    unit: 'bytes',
    bounds: 'Maximum size of an event of the bus. Larger messages are ignored.',
    protects: 'engine and sidecar from other programs on the bus',
    client: 'nothing',
  },
  busMessages: {
    value: 2000,
    unit: 'messages/s',
    bounds:
      'Maximum number of messages in a second that an engine process reads from the engines of one machine, and twice as many at once. Others are ignored.',
    protects: 'streams from an engine that floods the bus',
    client: 'nothing; limits over all engines apply later, and an older stream closes after its next words',
  },
  busNodes: {
    value: 256,
    unit: 'processes',
    bounds:
      'Maximum number of engine processes that an engine knows on the bus. Further processes are ignored.',
    protects: 'the memory of the engine from other programs on the bus',
    client: 'nothing; the database alone decides which engine has a stream',
  },
  busNodeExpiry: {
    value: 10_000,
    unit: 'ms',
    bounds:
      'Time after which an engine that did not write its entry on the bus is no longer one of its members.',
    protects: 'streams from a home that has ended',
    client: 'nothing',
  },
  spillConfirmation: {
    value: 2000,
    unit: 'ms',
    bounds:
      'Time in which the stream `cochlea_spill` must confirm the copy of a spilled entry. After it, the own disk alone counts.',
    protects: 'streams from a bus that hangs while the database is unavailable',
    client: 'words come up to this time later',
  },
  spillUnconfirmed: {
    value: 4_194_304,
    unit: 'bytes',
    bounds:
      'Maximum bytes of copies of spilled entries that a shard has sent to the bus without a confirmation. Others wait on the disk.',
    protects: 'the memory of the engine and the bus',
    client: 'nothing; words come up to `spillConfirmation` later',
  },
  spillCopy: {
    value: 524_288,
    unit: 'bytes',
    bounds:
      'Maximum size of a copy of a spilled entry. Larger entries are split between their conversations and segments. A larger segment stays on the own disk only.',
    protects: 'the NATS servers, whose messages have at most 1 MB',
    client: 'nothing',
  },
  spillCopiesAge: {
    value: 604_800_000,
    unit: 'ms',
    bounds:
      'Time after which the stream `cochlea_spill` removes copies that were not stored in the database.',
    protects: 'the privacy of users',
    client:
      'words are lost if the database is unavailable for longer and the disk of the engine is lost, too',
  },
  spillCopiesSize: {
    value: 1_073_741_824,
    unit: 'bytes',
    bounds:
      'Maximum size of the stream `cochlea_spill` when a sidecar makes it. A full stream refuses further copies.',
    protects: 'the disks of the NATS servers',
    client: 'nothing; the own disk of the engine alone counts',
  },
  spillCopiesCount: {
    value: 2_000_000,
    unit: 'messages',
    bounds:
      'Maximum number of messages of the stream `cochlea_spill` when a sidecar makes it. A full stream refuses further copies.',
    protects: 'the memory of the NATS servers, which know each subject of the stream',
    client: 'nothing; the own disk of the engine alone counts',
  },
  durabilityWait: {
    value: 10_000,
    unit: 'ms',
    bounds:
      'With `MIN_DURABILITY=stream`, time in which a store of words must reach the database or the stream `cochlea_spill`.',
    protects: 'words from an engine that reaches only its own disk',
    client: 'close 1012 `durability_unmet`; the client reconnects',
  },
  directoryStreams: {
    value: 200_000,
    unit: 'streams',
    bounds: 'Maximum number of streams that an engine keeps for users who have their home there.',
    protects: 'the memory of the engine',
    client: 'nothing; an older stream on another engine closes only after its next words',
  },
  directoryEngineStreams: {
    value: 50_000,
    unit: 'streams',
    bounds: 'Maximum number of streams that an engine registers, and that a home keeps for one engine.',
    protects: 'the memory of all engines from a single engine',
    client: 'nothing; an older stream on another engine closes only after its next words',
  },
  directoryUserStreams: {
    value: 64,
    unit: 'streams',
    bounds: 'Maximum number of streams of one user that a home keeps, one for each source and device.',
    protects: 'the streams of other users from one user',
    client: 'nothing; an older stream on another engine closes only after its next words',
  },
  directoryRate: {
    value: 65_536,
    unit: 'bytes/s',
    bounds:
      'Maximum bytes of streams that an engine registers again in a second, after engines came or left.',
    protects: 'the bus and other engines',
    client: 'nothing',
  },
  directoryChecks: {
    value: 200,
    unit: 'checks/s',
    bounds:
      'Maximum number of streams that an engine checks in the database in a second, because other engines report newer streams.',
    protects: 'the database from an engine that reports lies',
    client: 'nothing; an older stream closes only after its next words',
  },
  usageNames: {
    value: 200_000,
    unit: 'names',
    bounds: 'Maximum number of users and client addresses whose use of all engines an engine adds up.',
    protects: 'the memory of the engine',
    client: 'nothing; each engine then counts only its own streams and opens of further users and addresses',
  },
  usageEngineNames: {
    value: 50_000,
    unit: 'names',
    bounds:
      'Maximum number of users and client addresses whose use an engine reports, and that another engine adds up for it.',
    protects: 'the memory of all engines from a single engine',
    client: 'nothing; each engine then counts only its own streams and opens of further users and addresses',
  },
  usageRate: {
    value: 32_768,
    unit: 'bytes/s',
    bounds: 'Maximum bytes a second in which an engine reports its use to other engines. The rest waits.',
    protects: 'the bus and other engines from a flood of opens',
    client: 'nothing; limits over all engines apply later',
  },
  followedCompletions: {
    value: 10_000,
    unit: 'conversations',
    bounds:
      'Maximum number of conversations whose completion an engine process follows on the bus; beyond it the oldest is left out.',
    protects: 'the memory of the engine and of the NATS servers',
    client: '`memory_created` comes up to 5 s later',
  },
  rejectedEntries: {
    value: 67_108_864,
    unit: 'bytes',
    bounds: 'Maximum size of the entries that the database refuses permanently (`spill/rejected`).',
    protects: 'the disk, from one user whose segments are refused again and again',
    client: 'the segments are neither stored nor sent to the client; other users notice nothing',
  },
  awaitedConversations: {
    value: 64,
    unit: 'conversations',
    bounds: 'Maximum number of ended conversations for whose summaries one socket waits.',
    protects: 'memory of the engine while the sidecar is unavailable',
    client: 'no `memory_created` for the oldest of them',
  },
  retainedWaiting: {
    value: 33_554_432,
    unit: 'bytes',
    bounds: 'Maximum size of audio that waits to be stored as retained audio.',
    protects: 'memory of the engine',
    client: '`stt_failed` and close 1011 on the stream if its audio does not fit',
  },
  retainedWaitingUser: {
    value: 8_388_608,
    unit: 'bytes',
    bounds: 'Part of `retainedWaiting` that the audio of one user can take.',
    protects: 'audio of other users that has to be retained',
    client: '`stt_failed` and close 1011 on the stream if its audio does not fit',
  },
  recordedAudio: {
    value: 72,
    unit: 'hours',
    bounds:
      'Maximum duration of the audio that one user can upload in 24 hours, as recordings of REST and as imports of the console. A small file can have hours of silence. `RATE_LIMIT_BOOST` multiplies the limit.',
    protects: 'the processor, which decodes all of it',
    client: 'HTTP 429 `rate_limited` with `Retry-After`',
  },
  objectPart: {
    value: 5_242_880,
    unit: 'bytes',
    bounds:
      'Maximum bytes of a recording that an upload or a worker holds in memory before the bucket has stored them, or after it has sent them. S3 accepts no shorter parts.',
    protects: 'memory of the sidecar',
    client: 'nothing; longer recordings are written and read in several requests',
  },
  vectorsPerUser: {
    value: 50_000,
    unit: 'records',
    bounds:
      'Maximum number of records of one kind of a user that a search compares by meaning. These are the records with the highest ids; others are found by their words only.',
    protects: 'memory and time of the sidecar, from one user',
    client: 'nothing',
  },
  searchQuery: {
    value: 1000,
    unit: 'characters',
    bounds: 'Maximum length of a search query or a question.',
    protects: 'the time of the sentence model and of the database',
    client: 'HTTP 422 `validation_failed`',
  },
  ...searchLimits,
  embeddedTexts: {
    value: 1024,
    unit: 'texts',
    bounds: 'Maximum number of texts of all users that wait for the sentence model.',
    protects: 'memory of the sidecar, and the time that a search waits',
    client: 'nothing; a search compares words alone, and `semantic` of the answer is false',
  },
  embeddedTextsPerUser: {
    value: 256,
    unit: 'texts',
    bounds: 'Maximum number of texts of one user that wait for the sentence model. Users are served in turn.',
    protects: 'the searches of other users',
    client: 'nothing; a search compares words alone, and `semantic` of the answer is false',
  },
  questionsPerUser: {
    value: 4,
    unit: 'questions',
    bounds: 'Maximum number of questions of one user that a sidecar answers at once.',
    protects: 'the sentence model, the language model and the database, from one user',
    client: 'HTTP 429 `questions_limited` with `Retry-After`',
  },
  questions: {
    value: 16,
    unit: 'questions',
    bounds:
      'Maximum number of questions that a sidecar answers at once, including questions that wait for the language model. It is a quarter of the default MAX_PROXIED, and each question takes one of its places.',
    protects: 'other requests, which share the places of MAX_PROXIED',
    client: 'HTTP 503 `questions_full` with `Retry-After`',
  },
  chatMessage: {
    value: 4000,
    unit: 'characters',
    bounds: 'Maximum length of a written chat message.',
    protects: 'the tokens of the language model, and the time of the search',
    client: 'HTTP 422 `validation_failed`',
  },
  longBodiesPerUser: {
    value: 4_194_304,
    unit: 'bytes',
    bounds: 'Maximum size of the request bodies over 32 KiB of one user that wait or are being processed.',
    protects: 'memory of the sidecar',
    client: 'HTTP 503 `texts_full` with `Retry-After`',
  },
  longBodies: {
    value: 67_108_864,
    unit: 'bytes',
    bounds:
      'Maximum size of the request bodies over 32 KiB of all users that wait or are being processed. Beyond it, the user with the most bytes loses the last waiting request.',
    protects: 'memory of the sidecar',
    client: 'HTTP 503 `texts_full` with `Retry-After`',
  },
  comparedWords: {
    value: 100_000,
    unit: 'words',
    bounds:
      'Maximum number of words of a transcript that is compared with another transcript. The transcripts come from two devices of a user, or from a recording and its conversation. In scripts without spaces each character counts as a word.',
    protects: 'the memory of the sidecar, and its thread',
    client:
      'nothing; longer transcripts of two devices stay two conversations, and later words of a recording are kept without a comparison',
  },
  ruledText: {
    value: 200_000,
    unit: 'characters',
    bounds:
      'Length of text from the start of a conversation that the built-in rules read. Each segment counts as at least 20 characters.',
    protects: 'the thread for texts, from one long conversation',
    client: 'nothing; the summary omits later speech',
  },
  textTasks: {
    value: 128,
    unit: 'texts',
    bounds: 'Maximum number of texts of all users that wait for one of the threads for long texts.',
    protects: 'memory of the sidecar',
    client: 'HTTP 503 `texts_full` with `Retry-After`',
  },
  textTasksPerUser: {
    value: 32,
    unit: 'texts',
    bounds:
      'Maximum number of texts of one user that wait for one of the threads for long texts. Users are served in turn.',
    protects: 'the texts of other users',
    client: 'HTTP 503 `texts_full` with `Retry-After`',
  },
  textTaskTime: {
    value: 60_000,
    unit: 'ms',
    bounds:
      'Maximum time that a thread for long texts takes for one text. Then the thread is killed and restarted.',
    protects: 'the texts of other users',
    client: 'HTTP 503 `text_given_up`; a job is repeated',
  },
  jsonValues: {
    value: 20_000,
    unit: 'values',
    bounds: 'Maximum number of values in a JSON body over 32 KiB, including nested values.',
    protects: 'the thread of the sidecar, which reads and checks them',
    client: 'HTTP 422 with `json_too_many_values`',
  },
  jsonDepth: {
    value: 1000,
    unit: 'levels',
    bounds: 'Maximum nesting depth of lists and objects in a JSON body over 32 KiB.',
    protects: 'the thread of the sidecar, which passes them on',
    client: 'HTTP 422 with `json_too_deep`',
  },
  memoriesPerUser: {
    value: 20_000,
    unit: 'memories',
    bounds:
      'Maximum number of visible memories of a user. Concurrent requests may exceed it by the records they create. A sidecar may exceed it by a sixteenth of the quota left at its last count, at most an hour ago.',
    protects: 'the disk of the database, from one user',
    client: 'HTTP 409 `records_full`',
  },
  actionItemsPerUser: {
    value: 20_000,
    unit: 'action items',
    bounds:
      'Maximum number of unlocked action items of a user. Concurrent requests may exceed it by the records they create.',
    protects: 'the disk of the database, from one user',
    client: 'HTTP 409 `records_full`',
  },
  goalsPerUser: {
    value: 1000,
    unit: 'goals',
    bounds: 'Maximum number of goals of a user, active or not.',
    protects: 'the disk of the database, from one user',
    client: 'HTTP 409 `records_full`',
  },
  clockWarned: {
    value: 500,
    unit: 'ms',
    bounds:
      'Difference between the clocks of a machine and of the database, beyond which a warning is logged.',
    protects: 'the times of conversations, from a wrong clock',
    client: 'nothing; the wall clock is corrected',
  },
  clockRefused: {
    value: 5000,
    unit: 'ms',
    bounds:
      'Difference between the clocks of a machine and of the database, beyond which its processes are not ready.',
    protects: 'the times of conversations, from a wrong clock',
    client: 'health answers 503, so a balancer sends streams to other machines',
  },
  ...signInLimits,
  ...undoLimits,
} as const satisfies Record<string, FixedLimit>;
