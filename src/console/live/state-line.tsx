import type { StreamState } from '../stream/index.js';
import { discard, keptFile, muted, retry, type Times, times } from './recorder.js';

const secondsText = (seconds: number): string => `${Math.round(seconds)} s`;

const connectedText = ({ waiting, delay, lost }: Times): string => {
  const parts = [muted.value ? 'Connected, muted' : 'Connected'];
  if (waiting > 2) parts.push(`${secondsText(waiting)} of earlier audio are being sent`);
  if (delay !== null) parts.push(`words after ${delay.toFixed(1)} s`);
  if (lost === 0) parts.push('nothing lost');
  return `${parts.join(' · ')}.`;
};

const stateText = (now: StreamState): string => {
  const { kept, away } = times.value;
  switch (now.kind) {
    case 'connecting':
      return 'Connecting. Recording has begun.';
    case 'live':
      return connectedText(times.value);
    case 'reconnecting':
      return now.signedOut
        ? `The session has ended. Sign in again in another tab. Recording goes on; ${secondsText(kept)} kept.`
        : `Connection lost ${secondsText(away)} ago. Recording goes on; ${secondsText(kept)} kept.`;
    case 'stopping':
      return 'Saving the last words.';
    case 'saved':
      return now.unconfirmed > 0
        ? `Saved. The service has all audio, but is still writing down the last ${secondsText(now.unconfirmed)}.`
        : 'Saved.';
    case 'failed':
      return now.kept > 0
        ? `${now.remedy} ${secondsText(now.kept)} of audio are not stored. This page keeps them.`
        : now.remedy;
  }
};

/** Gives the kept audio to the user as a file. */
const saveFile = (): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(keptFile());
  link.download = 'recording.wav';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};

const Kept = () => (
  <p class="row">
    <button type="button" onClick={retry}>
      Try again
    </button>
    <button type="button" class="plain" onClick={saveFile}>
      Save as a file
    </button>
    <button type="button" class="plain" onClick={discard}>
      Discard
    </button>
  </p>
);

/** Describes the state of the recording. When the recording has ended, the line also links to its conversation. */
export const StateLine = ({ now }: { now: StreamState }) => {
  const { lost } = times.value;
  const isFailed = now.kind === 'failed';
  const conversation = now.kind === 'saved' || now.kind === 'failed' ? now.conversation : null;
  return (
    <div role={isFailed ? 'alert' : 'status'} class={isFailed ? 'note' : undefined}>
      <p>
        {stateText(now)}
        {lost > 0 && ` ${secondsText(lost)} are lost, because only ten minutes of audio can be kept.`}{' '}
        {conversation !== null && (
          <a href={`/console/conversations/${conversation}`}>Open the conversation</a>
        )}
        {now.kind === 'saved' && conversation === null && 'Nothing was said.'}
      </p>
      {isFailed && now.kept > 0 && <Kept />}
    </div>
  );
};
