import type { Logger } from '../../log/index.js';
import type { Conversations } from '../conversation/index.js';
import type { CoreTurns } from './core-turns.js';
import type { RingReader } from './ring-reader.js';
import type { Sessions } from './sessions.js';

export interface SalvageOptions {
  readonly reader: Pick<RingReader, 'read'>;
  readonly turns: CoreTurns;
  readonly sessions: Sessions;
  readonly conversations: Conversations;
  readonly log: Logger;
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
