/**
 * Replaces the speech model in a decoder process of the transcription service. It reads the tokens in the audio
 * (`token-code.ts`). For each token whose anchor is in the audio, it answers the word and the times of its speech.
 */
import type { ChildAnswer, ChildRequest, DecoderInput } from '../../src/stt/shared/decoder-messages.js';
import { oracleRate } from './speech-bursts.js';
import { readTokens } from './token-code.js';
import { wordOf } from './token-words.js';

const samplesPerMs = oracleRate / 1000;

const answer = (message: ChildAnswer): void => {
  // The channel may close while an answer is sent. This error is ignored, because the service is then gone.
  process.send?.(message, () => {});
};

const decode = (job: number, { pcm }: DecoderInput): void => {
  const began = performance.now();
  const spoken = readTokens(pcm).filter(({ isAnchored }) => isAnchored);
  answer({
    kind: 'decoded',
    job,
    text: spoken.map(({ token }) => wordOf(token)).join(' '),
    times: spoken.flatMap(({ from, to }) => [from / samplesPerMs, to / samplesPerMs]),
    decoded: performance.now() - began,
    repeated: 0,
  });
};

process.on('message', (message: ChildRequest) => {
  if (message.kind === 'load') answer({ kind: 'ready', model: message.model, together: 2 });
  else decode(message.job, message);
});

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
