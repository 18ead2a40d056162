import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { yieldProcessor } from '../../../src/config/process/priority.js';
import type { ChildAnswer, ChildRequest } from '../../../src/stt/shared/decoder-messages.js';
import { whisperPython, whisperScript } from './environment.js';

/**
 * A decoder process of the transcription service for comparisons. It passes audio to faster-whisper in a Python
 * process, which ends with this process. It decodes one utterance at a time and returns no word times.
 */

interface Job {
  readonly job: number;
  readonly began: number;
}

// The priority is lowered before the Python process starts, because that process inherits it.
yieldProcessor();

const python = spawn(whisperPython, [whisperScript], {
  stdio: ['pipe', 'pipe', 'ignore'],
  env: { ...process.env, OMP_NUM_THREADS: '1' },
});
const jobs: Job[] = [];
let isReady = false;
/** Name of the requested model. faster-whisper loads its own model of the same size. */
let requested = '';
const answer = (message: ChildAnswer): void => {
  process.send?.(message, () => {});
};

createInterface({ input: python.stdout }).on('line', (line) => {
  if (!isReady) {
    isReady = true;
    if (requested !== '') answer({ kind: 'ready', model: requested, together: 1 });
    return;
  }
  const { job, began } = jobs.shift()!;
  const text = (JSON.parse(line) as string).replace(/\s+/g, ' ').trim();
  answer({ kind: 'decoded', job, text, decoded: Math.round(performance.now() - began), repeated: 0 });
});
python.on('exit', () => process.exit(1));

process.on('message', (message: ChildRequest) => {
  if (message.kind === 'load') {
    requested = message.model;
    if (isReady) answer({ kind: 'ready', model: requested, together: 1 });
    return;
  }
  const { job, pcm } = message;
  jobs.push({ job, began: performance.now() });
  python.stdin.write(Uint32Array.of(pcm.length));
  python.stdin.write(new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength));
});
process.on('disconnect', () => {
  python.kill('SIGKILL');
  process.kill(process.pid, 'SIGKILL');
});
