import type { RingReader } from './ring-reader.js';
import type { SessionEndingsOptions } from './session-endings.js';

export interface SalvageOptions
  extends Pick<SessionEndingsOptions, 'turns' | 'sessions' | 'conversations' | 'log'> {
  readonly reader: Pick<RingReader, 'read'>;
}

/**
 * After the loop of a shard has failed: retains the speech of all streams that has no words yet, the open utterances included, as
 * far as the core still works, and stores the words that are here. Never rejects. On the shard's thread only.
 */
export const salvage = async (options: SalvageOptions): Promise<void> => {
  const { conversations, log, reader, sessions, turns } = options;
  const attempt = async (work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (thrown) {
      log.error({ err: thrown }, 'a part of what a failed shard held is lost');
    }
  };
  await attempt(() => reader.read());
  await attempt(() => turns.run(true));
  for (const session of sessions) {
    for (const track of session.tracks) await attempt(() => track.giveUp('shard_lost'));
    for (const handle of session.openHandles) await attempt(() => turns.flush(handle));
  }
  await attempt(() => conversations.tick());
};
