/**
 * Every error that this product can report, in one table.
 *
 * `http` is the status of a REST answer or of a refused upgrade to WebSocket, `rpc` the JSON-RPC code, `close` the
 * WebSocket close code. `remedy` is advice for the person who reads the error. Details of the error replace
 * placeholders such as `{name}`. A test checks that `docs/errors.md` matches this table.
 */
export interface ErrorEntry {
  readonly http?: number;
  readonly rpc?: number;
  readonly close?: number;
  readonly message: string;
  readonly remedy: string;
  readonly retryable: boolean;
}

const entry = (
  message: string,
  remedy: string,
  codes: { http?: number; rpc?: number; close?: number; retryable?: boolean } = {},
): ErrorEntry => ({ message, remedy, retryable: codes.retryable ?? false, ...codes });

/** Codes of errors for a full resource, in HTTP answers and on open streams. The client may retry. */
const full = { http: 503, close: 1013, retryable: true } as const;
/** Codes of errors for a full resource, in HTTP answers only. */
const busy = { http: 503, retryable: true } as const;
/** Codes of errors for a full resource, in HTTP answers and in JSON-RPC answers to assistants. */
const busyTool = { http: 503, rpc: -32009, retryable: true } as const;

export const errorRegistry = {
  // Errors of requests that are refused before the upgrade to WebSocket.
  auth_missing: entry('Authorization header not found', 'Send "Authorization: Bearer TOKEN".', { http: 401 }),
  auth_invalid: entry('Invalid authorization token', 'Get a fresh token and reconnect.', { http: 401 }),
  auth_expired: entry('Expired authorization token', 'Refresh the token and reconnect.', { http: 401 }),
  auth_unavailable: entry('Token keys cannot be read right now', 'Try again shortly.', full),
  issuer_secret_wrong: entry(
    'The signing key in the database was encrypted with another ISSUER_SECRET',
    'Restore the former ISSUER_SECRET (or issuer-secret in the data folder), or run "cochlea signing-keys rotate" for a new key.',
  ),
  issuer_secret_unreadable: entry(
    'User {user} cannot read {path}, which belongs to user {owner}',
    'As root, run "chown {user} {path}", or run this program as user {owner}.',
  ),
  query_invalid: entry('Query parameter {name} is not valid: {why}', 'Correct the parameter.', { http: 403 }),
  forwarded_refused: entry(
    'This engine accepts no forwarded requests ({header})',
    'AUTH_MODE=uid is for programs on this machine; behind a proxy run with AUTH_MODE=token.',
    { http: 403 },
  ),
  host_refused: entry(
    'This engine answers to loopback names only',
    'With AUTH_MODE=uid connect to 127.0.0.1 or localhost; for any other name run with AUTH_MODE=token.',
    { http: 403 },
  ),
  origin_refused: entry(
    'Pages of this origin may not connect',
    'Serve the page from PUBLIC_URL. Or list its origin in ALLOWED_ORIGINS (for sockets) or CORS_ALLOWED_ORIGINS (for the tool server).',
    { http: 403 },
  ),
  handshake_too_long: entry(
    'The {part} of the upgrade request is longer than {limit} characters',
    'Send a shorter {part}.',
    { http: 431 },
  ),
  upgrade_malformed: entry(
    'The upgrade request is malformed: {why}',
    'Send one header "Connection: Upgrade", and no body.',
    { http: 400 },
  ),
  opens_limited: entry('Too many streams opened, try again in {seconds} s', 'Reconnect with backoff.', {
    http: 429,
    close: 1013,
    retryable: true,
  }),
  upgrades_full: entry('Too many tokens are being checked', 'Reconnect with backoff.', busy),
  upgrades_unavailable: entry('The engine cannot accept streams right now', 'Reconnect with backoff.', busy),
  unauthenticated_full: entry(
    'Too many sockets wait for their auth message',
    'Reconnect with backoff.',
    busy,
  ),
  overloaded: entry('The engine is at capacity', 'Reconnect with backoff.', full),
  draining: entry('The engine is shutting down', 'Reconnect to another engine, or wait for the restart.', {
    http: 503,
    close: 1001,
    retryable: true,
  }),
  too_many_streams: entry('Too many open streams for this user', 'Close a stream first.', full),

  // Errors on open streams, after the upgrade to WebSocket was accepted.
  uid_foreign: entry('uid does not match the token', "Send the token's own subject as uid.", { close: 1008 }),
  user_unknown: entry(
    'Bad user',
    'Create the user first, with the COCHLEA_DATA_DIR or DATABASE_URL of this engine.',
    {
      close: 1008,
    },
  ),
  language_unsupported: entry(
    'The language is not supported, {language}',
    'Request a supported language. Or the operator adds whisper-base with "cochlea models pull" and TRANSCRIBER_MODELS, or configures a provider.',
    {
      close: 1008,
    },
  ),
  web_auth_timeout: entry('Auth timeout', 'Send the auth message within {seconds} s after the upgrade.', {
    close: 1008,
  }),
  audio_before_auth: entry(
    'More than {limit} bytes of audio before the auth message was answered',
    'Wait for auth_response.',
    { close: 1008 },
  ),
  token_expired: entry(
    'token expired',
    'Refresh the token and reconnect; the conversation resumes. Or renew the token in time with {"type":"auth","token":"..."}.',
    { close: 4001, retryable: true },
  ),
  account_gone: entry('account or token revoked', 'Sign in again.', { close: 4004 }),
  text_flood: entry(
    'text_flood: more text than {rate} bytes a second',
    'Send less text; wait between the chunks of an image.',
    { close: 1008 },
  ),
  message_flood: entry(
    'message_flood: more binary messages than {rate} a second',
    'Send larger frames, or send a backlog more slowly. Reconnect; the conversation resumes.',
    { close: 1008, retryable: true },
  ),
  slow_reader: entry(
    'slow_reader: more than {limit} bytes unread',
    'Read messages faster. Reconnect; the conversation resumes.',
    { close: 1008, retryable: true },
  ),
  web_auth_invalid: entry('Invalid token', 'Send {"type":"auth","token":"..."} with a valid token.', {
    close: 1008,
  }),
  image_chunk_invalid: entry('image_chunk is not valid: {why}', 'Correct the chunk.', { close: 1008 }),
  codec_unknown: entry('Unknown codec {codec}', 'Use one of {known}.', { close: 1003 }),
  codec_unavailable: entry('Codec {codec} is not available on this engine', '{how}', { close: 1003 }),
  sample_rate_unsupported: entry(
    '{codec} requires a sample rate in [{rates}], got {rate}',
    'Send one of the listed rates.',
    {
      close: 1003,
    },
  ),
  channels_unsupported: entry('channels must be 1 or 2, got {channels}', 'Send mono or stereo.', {
    close: 1003,
  }),
  frame_too_large: entry(
    'frame_too_large: {bytes} bytes, at most {limit}',
    'Send one codec frame per message.',
    { close: 1009 },
  ),
  text_too_large: entry('text_too_large: {bytes} bytes, at most {limit}', 'Send smaller messages.', {
    close: 1009,
  }),
  texts_over_budget: entry(
    'texts_over_budget: too many text messages wait to be read',
    'Send text messages more slowly.',
    { close: 1008, retryable: true },
  ),
  transcription_unavailable: entry(
    'transcription_service_unavailable',
    'Reconnect and send again the audio that was not confirmed.',
    {
      close: 1011,
      retryable: true,
    },
  ),
  internal: entry('Internal error', 'Try again; the log names the cause.', {
    http: 500,
    rpc: -32603,
    close: 1011,
    retryable: true,
  }),
  shard_lost: entry('shard_lost', 'Reconnect; the conversation resumes by id.', {
    close: 1012,
    retryable: true,
  }),
  stream_replaced: entry(
    'stream_replaced',
    'Reconnect later, unless this device opened the newer stream. Use another device id for each device.',
    { close: 1012, retryable: true },
  ),
  idle: entry('idle', 'Send audio or a keep-alive at least every {seconds} s.', {
    close: 1001,
    retryable: true,
  }),
  shutdown: entry('shutdown', 'Reconnect.', { close: 1001, retryable: true }),

  // Transcription failures.
  stt_empty_unexpected: entry('The provider returned no text for audible speech.', 'Try again.', {
    http: 502,
    retryable: true,
  }),
  stt_timeout: entry('The provider timed out.', 'Try again.', { http: 504, retryable: true }),
  stt_upstream_error: entry('The provider could not complete the request.', 'Try again.', {
    http: 502,
    retryable: true,
  }),
  stt_provider_configuration_error: entry(
    'No configured provider can transcribe this audio or its language.',
    'Request another language. The operator can add a model: cochlea models pull whisper-base. Or configure a provider.',
    {
      http: 503,
    },
  ),
  stt_invalid_input: entry('The audio cannot be decoded.', 'Send audio in the declared codec.', {
    http: 400,
  }),

  // Errors of the REST API.
  api_key_missing: entry(
    "Missing or invalid Authorization header. Must be 'Bearer API_KEY'",
    'Send a developer key.',
    { http: 401 },
  ),
  api_key_invalid: entry('Invalid API Key', 'Send a key printed by "cochlea keys create", not an ID token.', {
    http: 401,
  }),
  api_key_family: entry('{presented} {needed}', 'Use the kind of key that this endpoint requires.', {
    http: 401,
  }),
  assistant_missing: entry(
    'This endpoint needs an MCP API key, or access that a user has granted',
    'Send "Authorization: Bearer KEY". Or ask the user for access; the WWW-Authenticate header says where.',
    { http: 401 },
  ),
  assistant_invalid: entry(
    'The key or access token is not valid, has expired or was revoked',
    'Check the key. Renew the access token, or ask the user again for access; the WWW-Authenticate header says where.',
    { http: 401 },
  ),
  form_foreign: entry(
    'This form was not sent by a page of this service',
    'Open the page again and send its form from there.',
    { http: 403 },
  ),
  console_session_missing: entry(
    'This browser is not signed in to the console',
    'Sign in again, or open a link that "npx cochlea console" prints.',
    { http: 401 },
  ),
  console_link_ended: entry(
    'This link to the console has expired, or was used before',
    'Make another link with "npx cochlea console". A link works once, for ten minutes.',
    { http: 400 },
  ),
  cross_site: entry(
    'Only pages of the console may send this request: {why}',
    'Open the console at PUBLIC_URL. Without PUBLIC_URL, only browsers on this machine can use it.',
    { http: 403 },
  ),
  upstream_failed: entry('The sign-in at {provider} failed', 'Try again, or sign in with another method.', {
    http: 502,
  }),
  issuer_away: entry(
    'The service where people sign in does not answer',
    'Try again later. Operators check ID_TOKEN_ISSUER and the log of the sidecar.',
    { http: 502 },
  ),
  issuer_refused: entry(
    'The service where people sign in refused: {why}',
    'Try again. Operators check the client of the console (CONSOLE_CLIENT_ID) at that service.',
    { http: 502 },
  ),
  issuer_clock: entry(
    'The clock of this service and that of the service where people sign in differ too much',
    'Operators set the clocks of both services.',
    { http: 502 },
  ),
  sign_up_closed: entry(
    'This sign-in has no account, and only the operator of this service creates accounts',
    'Ask the operator.',
    { http: 403 },
  ),
  sign_in_refused: entry(
    'The sign-in cannot be renewed: {why}',
    'Sign in again. A refresh token works once; using it twice ends its sign-in.',
  ),
  sign_in_ended: entry(
    'This sign-in has ended, or began in another browser',
    'Go back to the application and start again. The browser must accept cookies.',
    { http: 400 },
  ),
  sign_in_busy: entry('Too many people are signing in', 'Try again in a moment.', busy),
  not_authenticated: entry('Not authenticated', 'Send "Authorization: Bearer ID_TOKEN".', { http: 401 }),
  credentials_invalid: entry('Invalid authentication credentials', 'Send a valid ID token.', { http: 401 }),
  account_deletion_in_progress: entry(
    'This account is being deleted',
    'You can do nothing. All requests are refused until the deletion is complete.',
    { http: 403 },
  ),
  scope_missing: entry(
    'Insufficient permissions. Required scope: {scope}',
    'Create a key that has this scope.',
    {
      http: 403,
      rpc: -32003,
    },
  ),
  keys_full: entry('A user may have at most {limit} keys', 'Revoke a key first.', { http: 409 }),
  rate_limited: entry('Rate limit exceeded ({policy}). Try again in {seconds}s.', 'Wait, then retry.', {
    http: 429,
    rpc: -32009,
    retryable: true,
  }),
  questions_limited: entry(
    'At most {limit} questions of a user are answered at once. Try again in {seconds}s.',
    'Wait for an answer, then ask again.',
    { http: 429, rpc: -32009, retryable: true },
  ),
  questions_full: entry('Too many questions are being answered', 'Try again shortly.', busyTool),
  answers_limited: entry(
    'This user has an earlier large answer that is not read yet. Try again in {seconds}s.',
    'Read each large answer to its end before you request the next.',
    { http: 429, retryable: true },
  ),
  answers_full: entry('Too many large answers are in progress', 'Try again shortly.', busy),
  answer_outdated: entry(
    'A record of this answer was deleted while it was read',
    'Send the request again. If the answer had already begun, the connection was broken off.',
    busy,
  ),
  export_running: entry(
    "Another export of this user's data is in progress",
    'Wait until it has ended, or cancel it. Then send the request again.',
    { http: 429, retryable: true },
  ),
  texts_full: entry('Too many texts wait to be read', 'Try again shortly.', busyTool),
  text_given_up: entry(
    'Reading the text took more than {seconds} s',
    'Try again when the server is less busy, or send a shorter text.',
    busyTool,
  ),
  not_found: entry('Not Found', 'Check the path.', { http: 404 }),
  upgrade_required: entry('This address takes WebSockets only', 'Open a WebSocket.', { http: 426 }),
  method_not_allowed: entry('Method Not Allowed', 'Check the HTTP method.', { http: 405 }),
  http_version_refused: entry('HTTP Version Not Supported', 'Send HTTP/1.1.', { http: 505 }),
  conversation_not_found: entry('Conversation not found', 'Check the id.', {
    http: 404,
    rpc: -32001,
  }),
  record_not_found: entry('{kind} not found', 'Check the id.', { http: 404, rpc: -32001 }),
  locked: entry('A paid plan is required to access this {kind}.', 'Choose a paid plan.', {
    http: 402,
    rpc: -32002,
  }),
  records_full: entry('A user may have at most {limit} {kind}', 'Delete some {kind} first.', {
    http: 409,
    rpc: -32009,
  }),
  idempotency_conflict: entry(
    'This Idempotency-Key was used with another request',
    'Send a new key with every new request.',
    { http: 409, rpc: -32009 },
  ),
  idempotency_gone: entry(
    'The record created with this Idempotency-Key has been deleted',
    'Send a new key to create it again.',
    { http: 409, rpc: -32009 },
  ),
  validation_failed: entry('{why}', 'Correct the request.', { http: 422, rpc: -32602 }),
  bad_request: entry('{why}', 'Correct the request.', { http: 400, rpc: -32602 }),
  body_too_slow: entry('The request body arrives too slowly', 'Send it faster, or in smaller requests.', {
    http: 408,
    retryable: true,
  }),
  body_too_large: entry('Request body is too large', 'Send less than {limit} bytes.', { http: 413 }),
  multipart_invalid: entry(
    'The form cannot be read: {why}',
    'Send multipart/form-data with the files in fields "files".',
    {
      http: 400,
    },
  ),
  uploads_full: entry('Too many uploads are in progress', 'Try again in a few seconds.', busy),
  voice_full: entry('Too many voice messages are in progress', 'Try again in a few seconds.', {
    http: 429,
    close: 1013,
    retryable: true,
  }),
  voice_stream_long: entry(
    'A voice message may last {seconds} s',
    'Open another voice message for the rest.',
    {
      close: 1008,
    },
  ),
  voice_recognition_off: entry(
    'Voices are not recognised for this user',
    'Turn `voice_recognition` on in the settings of the user, or ask the operator whether it is off for all.',
    { http: 409 },
  ),
  voice_profile_short: entry(
    'The recording has {seconds} s of speech; {needed} s are needed',
    'Record one person speaking for longer.',
    { http: 400 },
  ),
  voice_profile_unavailable: entry(
    'The recording could not be turned into a voice profile',
    'Try again in a few minutes.',
    busy,
  ),
  recordings_full: entry(
    'Too many recordings wait to be transcribed',
    'Try again in a few minutes; earlier uploads are being transcribed.',
    { http: 429, retryable: true },
  ),
  recording_name_invalid: entry(
    'The name of a recording is not valid: {why}',
    'Name it audio_DEVICE_CODEC_RATE_CHANNELS_SECONDS.bin. SECONDS is the start of the recording in Unix time.',
    { http: 400 },
  ),
  recording_invalid: entry(
    'A recording is not valid: {why}',
    'Send a whole audio file, or frames. Before each frame send its length in four bytes, lowest byte first.',
    {
      http: 400,
    },
  ),
  recording_too_long: entry('A recording is too long for one file', 'Cut it into several files.', {
    http: 400,
  }),
  recording_unreadable: entry('An uploaded recording cannot be read: {why}', 'Upload it again.', {
    retryable: true,
  }),
  upstream_unavailable: entry('The API is starting or restarting', 'Try again shortly.', {
    http: 502,
    retryable: true,
  }),
  database_unavailable: entry('The database is unavailable', 'Try again shortly.', busyTool),
  request_timeout: entry('The request took too long', 'Try again; ask for less at once.', {
    http: 504,
    retryable: true,
  }),

  // Errors of the tool server for assistants.
  message_invalid: entry('{why}', 'Send messages in JSON-RPC 2.0 format.', { rpc: -32600 }),
  method_unknown: entry('Method not found', 'Methods are initialize, ping, tools/list and tools/call.', {
    rpc: -32601,
  }),
  tool_unknown: entry('There is no such tool', 'tools/list returns the available tools.', { rpc: -32601 }),
  batch_answers_long: entry('The answers before this one are too long', 'Send this message by itself.', {
    rpc: -32009,
  }),
  session_missing: entry(
    'Tools need a session: send initialize first, and the Mcp-Session-Id of its answer with every later request',
    'The header Mcp-Session-Id of the answer to initialize names the session; "curl -i" prints it.',
    { http: 400 },
  ),
  session_unknown: entry(
    'There is no such session: send initialize again',
    'Send initialize, and the Mcp-Session-Id of its answer with every later request.',
    { http: 404 },
  ),

  // Errors at the start and during operation.
  node_unsupported: entry(
    'Node {found} is not supported',
    'Install Node 20.19, 22.12 or 24.0, or a later release of the same line.',
  ),
  port_taken: entry(
    'Port {port} on {host} is already in use',
    'Stop the other process, or set {setting} to another port.',
  ),
  transcriber_refused: entry(
    'The transcription service on {path} refused this process: {why} (it is release {release} with {model})',
    'Use one release and the same TRANSCRIBER_MODELS for all processes of a data folder. Stop the running service; it restarts.',
  ),
  already_running: entry(
    'Cochlea already runs on {path} (process {pid})',
    'Stop it first, or set COCHLEA_DATA_DIR to another folder.',
  ),
  setting_invalid: entry(
    'Setting {name} is not valid: {why}',
    'Correct the setting; "cochlea settings" prints all settings.',
  ),
  bus_refused: entry(
    'The bus at {servers} refused this process: {why}',
    'Correct {settings}. "cochlea doctor" checks them.',
  ),
  bus_unreachable: entry(
    'No server of the bus at {servers} answers: {why}',
    'Start the NATS servers, or correct NATS_URL. Engines and sidecars run without the bus until it answers.',
  ),
  bus_unfit: entry(
    'The NATS servers cannot be used as a bus: {why}',
    'Correct the configuration of the NATS servers as in docs/operations.md, "A fleet".',
  ),
  clock_off: entry(
    'The clock of the database is {off} ms ahead of the clock of this machine',
    'Set the clocks of all machines by NTP.',
  ),
  disk_full: entry('No space left on {path}', 'Free some space, or set COCHLEA_DATA_DIR to another disk.'),
  bench_missing: entry(
    'The benches are not installed: {why}',
    'Run "npm ci --include=dev" in a checkout of Cochlea, or "npm run bench" there to install missing packages.',
  ),
  command_incomplete: entry('{why}', '{how}'),
  core_unavailable: entry('The native core cannot be used: {why}', '{how}'),
  model_unknown: entry(
    'No model has the name {name}. The models are {known}',
    'Correct the name in the command or in TRANSCRIBER_MODELS.',
  ),
  model_missing: entry(
    'Model file {file} ({bytes} bytes) is missing',
    'Sources tried: {sources}. Run "cochlea models pull" (COCHLEA_MODELS_MIRROR names a mirror), or put the file into {directory}.',
  ),
  model_corrupt: entry(
    'Model file {file} has the wrong SHA-256',
    'Delete it, and run "cochlea models pull" with the name of the model.',
  ),
  database_unreachable: entry(
    'The database at {where} cannot be reached: {why}',
    'Start the database, or correct DATABASE_URL.',
  ),
  database_connections: entry(
    'This deployment may open {needed} connections to PostgreSQL, which allows {allowed}',
    'Lower DATABASE_CONNECTIONS, SHARDS or ENGINE_PROCESSES, or raise max_connections of the server (or the limit of the role or database).',
  ),
  database_start_failed: entry('The embedded database cannot start: {why}', '{how}'),
  database_schema_newer: entry('The database schema is newer than this program', 'Upgrade the program.'),
  journal_spill_failed: entry(
    'The journal can write neither to the database nor to its spill: {why}',
    'Free disk space below COCHLEA_DATA_DIR.',
    {
      close: 1011,
      retryable: true,
    },
  ),
  durability_unmet: entry(
    'Words can be stored on the disk of this engine only, and MIN_DURABILITY is stream',
    'Reconnect. The operator restores the database, or the bus.',
    { close: 1012, retryable: true },
  ),
  conversation_unfinished: entry(
    'The conversation has not been processed yet',
    'Wait until its status is completed.',
    { http: 409, retryable: true },
  ),
  segment_changed: entry(
    'The segment has changed since it was read',
    'Read the segment again, and send the change with its new revision.',
    { http: 409 },
  ),
  undo_ended: entry(
    'The change can no longer be undone',
    'A split or a merge can be undone once, within 24 hours. Split or merge the conversations instead.',
    { http: 404 },
  ),
  undo_refused: entry(
    'The change cannot be undone: {why}',
    'Undo later changes first, or split or merge the conversations instead.',
    { http: 409 },
  ),
  conversation_is_text: entry(
    'A conversation that was created from one text cannot be merged',
    'Leave it out. Only conversations with segments can be merged.',
    { http: 409 },
  ),
  conversation_full: entry(
    'A conversation may have at most {limit} characters',
    'Shorten the text, or merge fewer conversations.',
    { http: 409 },
  ),
  // Errors of the language model. An operator sees these in the log and in "cochlea jobs".
  llm_unavailable: entry(
    'The language model does not answer: {why}',
    'Check LLM_BASE_URL and its server. Waiting jobs are repeated. If all attempts fail, the built-in implementation performs the step.',
    busy,
  ),
  llm_busy: entry(
    'The language model had no free slot for {seconds} s',
    'Raise LLM_CONCURRENCY if the server can handle more. Waiting jobs are repeated.',
    busy,
  ),
  llm_limited: entry(
    'The language model accepts no questions for {seconds} s',
    'Lower LLM_CONCURRENCY, or raise the limits of the account at the model.',
    busy,
  ),
  llm_rejected: entry(
    'The language model rejects questions with HTTP {status}',
    'Check LLM_API_KEY, LLM_MODEL and LLM_JSON; docs/models.md shows what each server takes.',
    { http: 503 },
  ),
  llm_refused: entry(
    'The language model refused to answer',
    'No action is needed; the built-in implementation performs the step.',
    { http: 503 },
  ),
  llm_answer_invalid: entry(
    'The answer of the language model does not have the requested form: {why}',
    'Use a model that follows a JSON schema, or another LLM_JSON. The built-in implementation performs the step.',
    { http: 503 },
  ),
  llm_budget_spent: entry(
    'The user has no tokens left for the language model today',
    'Raise LLM_DAILY_TOKENS, or wait for the next day (UTC).',
    { http: 503 },
  ),
  translator_unavailable: entry(
    'The translation server does not answer: {why}',
    'Check LIBRETRANSLATE_URL and its server. Until then speech stays untranslated.',
    busy,
  ),
  translator_rejected: entry(
    'The translation server rejects requests with HTTP {status}',
    'Check LIBRETRANSLATE_API_KEY, and whether the server knows the languages of your users.',
    { http: 503 },
  ),
  translator_answer_invalid: entry(
    'The answer of the translation server does not have the requested form: {why}',
    'Check that LIBRETRANSLATE_URL is the address of a server with the LibreTranslate protocol.',
    { http: 503 },
  ),
  file_unreadable: entry('{path} cannot be read: {why}', 'Check the path and its permissions.'),
  retained_audio_unreadable: entry(
    'The retained audio {path} cannot be read: {why}',
    'Check RETAINED_AUDIO_KEY. "cochlea retained retry" reads the audio again; "cochlea retained purge" removes it.',
  ),
  retained_store_failed: entry(
    'The bucket {place} cannot be used: {why}',
    'Check BUCKET_URL, its keys and its region. Engines keep retained audio in their data folders meanwhile.',
    { retryable: true },
  ),
  storage_unavailable: entry(
    'The storage of files is unavailable',
    'Send the request again in a minute. Nothing of it was stored.',
    { http: 503, retryable: true },
  ),
  photo_unreadable: entry(
    'The image cannot be read: it was encrypted with another key, or is damaged',
    'Check RETAINED_AUDIO_KEY, the key that encrypts images.',
    { http: 500 },
  ),
  photo_link_invalid: entry(
    'The link to this image is not valid, or has expired',
    'Ask for the images of the conversation again.',
    {
      http: 403,
    },
  ),
  audio_file_unsupported: entry(
    '{path} is not in a supported audio format: {why}',
    'Use WAV of PCM, float or G.711, Ogg Opus, or raw audio with --codec and --rate.',
  ),
  custom_stt_invalid: entry(
    '{url} breaks the rule "{rule}" of custom transcription services: {why}',
    'Run "cochlea stt-check" on the service to test all rules.',
  ),
  stream_closed: entry(
    'The stream was closed with code {code}: {why}',
    'docs/protocol.md explains the code.',
  ),
  connection_failed: entry(
    'Cannot connect to {url}: {why}',
    'Check that the engine runs and the address is right. TLS needs wss://. A private certificate authority needs NODE_EXTRA_CA_CERTS.',
  ),
  token_refused: entry(
    '{url} refuses the token: {why}',
    'The token is missing, expired or from another issuer. "cochlea users create --uid UID" prints a new one.',
  ),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorRegistry;
