/** Before a sign-out, stops and saves the recording, because a page without a session must not record. */
import { effect } from '@preact/signals';
import { addUnfinished, onSignOut, recording } from '../shared/index.js';
import { discard, keepsAudio, state, stop } from './recorder.js';

const ended = (): Promise<void> =>
  new Promise((resolve) => {
    const leave = effect(() => {
      if (!recording.value) queueMicrotask(() => resolve(leave()));
    });
  });

addUnfinished({
  says: () => {
    if (recording.value) return 'This page records. The recording is stopped and saved first.';
    return state.value !== null && keepsAudio()
      ? 'This page keeps audio that is not stored. Signing out loses it. The page Live can save it as a file.'
      : null;
  },
  ending: () => (recording.value ? 'Stop and save' : 'Discard the audio'),
  end: async () => {
    if (!recording.peek()) {
      discard();
      return null;
    }
    stop();
    await ended();
    return keepsAudio() ? 'The recording could not be saved, so you are still signed in.' : null;
  },
});

// Another page of this browser has ended the session. The stream that is still open stores its last words.
onSignOut(() => {
  if (recording.peek()) stop();
});
