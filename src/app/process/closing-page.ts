import { closingSteps } from './closing-steps.js';

const row = (...cells: readonly (string | number)[]): string =>
  `| ${cells.join(' | ')} |`.replace(/ {2,}/g, ' ');

/**
 * Returns the text of `docs/modules/closing.md`. It is made from the list that sets the closing order of engine and
 * supervisor.
 */
export const closingPage = (): string =>
  [
    '# Closing',
    '',
    'Made by `node dist/src/app/process/closing-page.js > docs/modules/closing.md` from',
    '`src/app/process/closing-steps.ts`, the list of steps that engine and supervisor run. A test keeps them equal.',
    '',
    'The table lists which process closes what, in which order, and what a client sees. At the first SIGTERM or',
    'SIGINT, the supervisor of `cochlea up` closes its child processes and restarts none. At the second signal, all',
    'processes end at once. Only the supervisor handles signals. A child exits when its channel to the supervisor',
    'closes.',
    '',
    'The column "part" has the name that the process logs when it closes that part (`LOG_LEVEL=debug`).',
    '',
    '| step | part | who | what | a client sees |',
    '|---|---|---|---|---|',
    ...closingSteps.map(({ part, who, what, client = '' }, index) => row(index + 1, part, who, what, client)),
    '',
    'A shard that hangs is ended without these steps ([lost shards](engine-lost-shards.md)). A thread that hangs in',
    'native code cannot be ended. Its process then runs all steps and kills itself.',
    '',
    'Every step has a time limit. If a step exceeds it, the process logs this and runs the next step. If the',
    'supervisor dies, its children exit because their channel closes. A small keeper process watches the supervisor',
    'and shuts PostgreSQL down when the supervisor has died.',
    '',
    'After an unhandled error, an engine or a sidecar closes in the same order. The error is logged, the process',
    'ends with exit code 1, and the supervisor starts another. Closing may take `DRAIN_TIMEOUT` plus 10 s. After',
    'that time, or after a second unhandled error, the process ends at once.',
    '',
    'A conversation in progress stays open. If its device reconnects before the timeout has passed, it gets the',
    'same conversation id. Otherwise the sidecar closes the conversation.',
    '',
  ].join('\n');

if (process.argv[1] === new URL(import.meta.url).pathname) process.stdout.write(closingPage());
