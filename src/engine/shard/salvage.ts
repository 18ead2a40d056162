import type { RingReader } from './ring-reader.js';
import type { SessionEndingsOptions } from './session-endings.js';

export interface SalvageOptions
  extends Pick<SessionEndingsOptions, 'turns' | 'sessions' | 'conversations' | 'log'> {
  readonly reader: Pick<RingReader, 'read'>;
}

/**
 * Saves the data of a shard after its loop has failed. First retains the audio of speech that has not been transcribed
 * yet. If the core still works, this includes utterances that have not ended. Speech of clients that use positions is
 * not retained, because they send it again. Then stores the words that have arrived. Never rejects. Runs on the shard's
 * thread.
 */
export const salvage = async (options: SalvageOptions): Promise<void> => {
  const { conversations, log, reader, sessions, turns } = options;
  const attempt = async (work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (thrown) {
      log.error({ err: thrown }, 'some data of a failed shard is lost');
    }
  };
  await attempt(() => reader.read());
  await attempt(() => turns.run());
  for (const session of sessions) {
    for (const track of session.tracks) await attempt(() => track.giveUp('shard_lost'));
    for (const handle of session.openHandles) await attempt(() => turns.flush(handle));
  }
  await attempt(() => conversations.tick());
};
