import { closingSteps } from './closing-steps.js';

const row = (...cells: readonly (string | number)[]): string =>
  `| ${cells.join(' | ')} |`.replace(/ {2,}/g, ' ');

/** Returns the text of `docs/modules/closing.md`, made from the list that gives engine and supervisor their closing order. */
export const closingPage = (): string =>
  [
    '# Closing',
    '',
    'Made by `node dist/src/app/process/closing-page.js > docs/modules/closing.md` from',
    '`src/app/process/closing-steps.ts`, the list from which engine and supervisor close. A test keeps them equal.',
    '',
    'Which process closes what, in which order, and what a client sees. The first SIGTERM or SIGINT makes the',
    'supervisor of `cochlea up` close its children, and it starts nothing again. The second stops everything at',
    'once. Nothing else handles signals: children leave when their channel to the supervisor closes.',
    '',
    'The part is the name that the log of its process prints when it is closed (`LOG_LEVEL=debug`).',
    '',
    '| step | part | who | what | a client sees |',
    '|---|---|---|---|---|',
    ...closingSteps.map(({ part, who, what, client = '' }, index) => row(index + 1, part, who, what, client)),
    '',
    'A shard that hangs is ended without these steps ([lost shards](engine-lost-shards.md)). A thread that hangs in',
    'native code cannot be ended. Its process takes all the steps and then kills itself.',
    '',
    'Every step has a bound. A step that hangs costs its bound and a line in the log; the next one follows. A',
    'process without an owner leaves by itself. Children watch their channel. A small keeper process watches the',
    'supervisor and shuts PostgreSQL down when it is gone.',
    '',
    'An error that escapes every handler closes an engine or a sidecar in the same order. It is logged, the',
    'process ends with exit code 1, and the supervisor starts another. The process has `DRAIN_TIMEOUT` and 10 s for',
    'that. It is ended at once after that time, or when a second error escapes.',
    '',
    'A conversation in progress stays open. Its wearer reconnects to the next engine and gets the same conversation',
    'id within its timeout; otherwise the sidecar closes it.',
    '',
  ].join('\n');

if (process.argv[1] === new URL(import.meta.url).pathname) process.stdout.write(closingPage());
