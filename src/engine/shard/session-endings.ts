import { within } from '../../common/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import type { Conversations } from '../conversation/index.js';
import type { AudioBacklogs, ConnectionSession, SessionLeaving } from '../session/index.js';
import type { CoreTurns } from './core-turns.js';
import type { Sessions } from './sessions.js';

/** Share of the timeout that decoding the waiting audio may take. The rest of the timeout is for the last words. */
const backlogShare = 0.5;

export interface SessionEndingsOptions {
  readonly sessions: Sessions;
  readonly conversations: Conversations;
  readonly backlogs: AudioBacklogs;
  readonly turns: CoreTurns;
  readonly metrics: MetricsRow;
  readonly log: Logger;
}

/** Ends sessions with a closed socket, and all sessions of a draining shard. Use it on the shard's thread only. */
export class SessionEndings {
  constructor(private readonly options: SessionEndingsOptions) {}

  /**
   * Decodes the waiting audio of a session, ends its open utterance, releases its slot and waits until its last words
   * are stored. Never rejects.
   * @param timeout ms to wait for providers.
   * @param orderly whether the client has ended its recording. If not, the open utterance of a client that uses
   * positions is given up, because the client sends it again.
   * @param release whether to free the slot. A draining shard keeps it until the socket closes.
   */
  async end(
    session: ConnectionSession,
    leaving: SessionLeaving,
    timeout: number,
    { orderly, release }: { readonly orderly: boolean; readonly release: boolean },
  ): Promise<void> {
    const { conversations, log, sessions } = this.options;
    if (!session.beginEnding()) {
      if (release) sessions.release(session);
      return;
    }
    try {
      if (!orderly && session.abandon()) this.options.backlogs.drop(session);
      else await this.#decodeRest(session, timeout);
    } catch (thrown) {
      log.error({ stream: session.stream, err: thrown }, 'last frames of a stream were not decoded');
    }
    if (release) sessions.release(session);
    await session.finish(leaving, timeout);
    sessions.ended(session);
    conversations.forgetIdle();
  }

  /** Decodes the waiting audio of a session, and ends its open utterance. */
  async #decodeRest(session: ConnectionSession, timeout: number): Promise<void> {
    const { turns } = this.options;
    if (session.backlog !== null) await this.#decodeBacklog(session, timeout * backlogShare);
    await Promise.all(session.openHandles.map((handle) => turns.flush(handle)));
  }

  /** Waits at most `timeout` ms until the waiting audio is decoded. Drops the audio that is still not decoded then. */
  async #decodeBacklog(session: ConnectionSession, timeout: number): Promise<void> {
    const { backlogs, log, metrics } = this.options;
    await within(backlogs.whenEmpty(session), timeout, () => {
      const frames = backlogs.drop(session);
      metrics.add('frames_queue_dropped_total', frames);
      log.warn({ stream: session.stream, frames }, 'audio of an ending stream was not decoded in time');
    });
  }
}
