/** Runs the programs of the set-up and reports progress on stderr. Stdout belongs to the next command. */
import { spawn, spawnSync } from 'node:child_process';

/** A failed step with its reason and remedy. It is printed as one line, never as a stack trace. */
export class SetupFailure extends Error {}

const terminal = process.stderr.isTTY === true;
let running;
let stopping = false;

/** Ends a child and its whole process group, because package managers and build tools start further processes. */
const endGroup = (child) => {
  try {
    process.kill(-child.pid, 'SIGTERM');
    return true;
  } catch {
    return false;
  }
};

/**
 * Ends the running program and everything it started. Resolves when the program has ended. No other program starts
 * afterwards.
 */
export const stopRunning = async () => {
  stopping = true;
  if (!running) return;
  const { child, ended } = running;
  if (endGroup(child)) await ended;
};

/**
 * Writes a permanent line. On a terminal the line replaces the progress of the current step, which is then redrawn
 * below.
 */
export const say = (line) => process.stderr.write(`${terminal ? '\r\x1b[K' : ''}${line}\n`);

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(0)} s`;

/**
 * Shows the progress of a step: a line that is redrawn on a terminal, otherwise one line at the end.
 * @param title description of the running step.
 * @param work receives `report(fraction, note)`. A fraction from 0 to 1 draws a bar; undefined shows only the elapsed
 *   time.
 */
export const step = async (title, work) => {
  const since = Date.now();
  let note = '';
  let fraction;
  const draw = () => {
    const filled = Math.round((fraction ?? 0) * 24);
    const bar =
      fraction === undefined
        ? ''
        : ` [${'#'.repeat(filled)}${'.'.repeat(24 - filled)}] ${Math.round(fraction * 100)} %`;
    process.stderr.write(
      `\r\x1b[K${title}${bar} ${seconds(since)} ${note}`.slice(0, process.stderr.columns || 100),
    );
  };
  const timer = terminal ? setInterval(draw, 250) : undefined;
  if (!terminal) say(`${title} ...`);
  try {
    const result = await work((newFraction, newNote = '') => {
      fraction = newFraction;
      note = newNote;
    });
    if (timer) process.stderr.write('\r\x1b[K');
    say(`${title}: done in ${seconds(since)}`);
    return result;
  } catch (error) {
    if (timer) process.stderr.write('\r\x1b[K');
    throw error;
  } finally {
    clearInterval(timer);
  }
};

/**
 * Runs a program to its end. After `stopRunning` the returned promise never resolves. Otherwise an interrupted program
 * would give a result or cause another attempt.
 * @param options `cwd`, `env` (added to this process's), `onLine(line, end)` for each line of output; `end()` ends the
 *   program early.
 * @returns exit code (127 if the program could not be started) and the last 64 KiB of its output.
 */
export const run = (command, args, options = {}) =>
  new Promise((done) => {
    const resolve = (result) => {
      if (!stopping) done(result);
    };
    if (stopping) return;
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    let rest = '';
    const take = (chunk) => {
      output = (output + chunk).slice(-65_536);
      if (!options.onLine) return;
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines) options.onLine(line, () => endGroup(child));
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    const ended = new Promise((end) => {
      child.on('error', (error) => {
        resolve({ code: 127, output: String(error.message) });
        end();
      });
      child.on('close', (code) => {
        resolve({ code: code ?? 1, output });
        end();
      });
    });
    running = { child, ended };
    ended.then(() => {
      running = undefined;
    });
  });

/** Runs a program without showing its output, and returns whether it succeeds. */
export const answers = (command, args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
