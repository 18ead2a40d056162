import { closingSteps } from './closing-steps.js';

const row = (...cells: readonly (string | number)[]): string =>
  `| ${cells.join(' | ')} |`.replace(/ {2,}/g, ' ');

/** The page `docs/closing.md`, made from the list from which engine and supervisor close. */
export const closingPage = (): string =>
  [
    '# Closing',
    '',
    'Made by `node dist/src/app/process/closing-page.js > docs/closing.md` from `src/app/process/closing-steps.ts`, the list from which engine and',
    'supervisor close; a test keeps them equal.',
    '',
    'Who closes whom, in which order, and what a client sees. On the first SIGTERM or SIGINT of `cochlea up` the supervisor asks its',
    'children to close and starts nothing again; on the second everything stops at once. Nothing else handles signals: children leave',
    'when their channel to the supervisor closes.',
    '',
    'The part is what the log of its process names when it is closed (`LOG_LEVEL=debug`).',
    '',
    '| step | part | who | what | a client sees |',
    '|---|---|---|---|---|',
    ...closingSteps.map(({ part, who, what, client = '' }, index) => row(index + 1, part, who, what, client)),
    '',
    'A shard that hangs is ended without these steps (`docs/architecture.md`). Where a thread hangs in native code, which',
    'nothing can end, the process takes all the steps and then kills itself: it would wait for that thread for ever.',
    '',
    'Every step has a bound; one that hangs costs its bound and a line in the log, and the next is taken all the same. Who is',
    'left without an owner leaves by itself: children watch their channel, and PostgreSQL is watched by a small keeper process',
    'that shuts it down when the supervisor is gone.',
    '',
    'An error that no handler caught closes an engine or a sidecar in the same order: it is logged, the process ends with exit',
    'code 1, and the supervisor starts another. It has `DRAIN_TIMEOUT` and 10 s for that; then, or when a second error escapes,',
    'the process is ended at once.',
    '',
    'What stays open and why: a conversation in progress. Its wearer reconnects to the next engine and gets the same',
    'conversation id within its timeout; otherwise the sidecar closes it.',
    '',
  ].join('\n');

if (process.argv[1] === new URL(import.meta.url).pathname) process.stdout.write(closingPage());
