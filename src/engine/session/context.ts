import type { Journal } from '../../journal/index.js';
import type { Logger } from '../../log/index.js';
import type { Conversations } from '../conversation/index.js';
import type { HeldImages, ImageKeeper, PhotoWatch } from '../images/index.js';
import type { Outbox } from '../shared/index.js';
import type { TextLimits } from './client-text.js';
import type { SharedTexts } from './shared-texts.js';
import type { TrackContext } from './track.js';
import type { UnreadTexts } from './unread-texts.js';

/** What the sessions of a shard share. Nothing in it knows of sessions, so no call goes from a session up to its shard. */
export interface SessionContext extends TrackContext {
  readonly journal: Journal;
  readonly conversations: Conversations;
  readonly outbox: Outbox;
  readonly log: Logger;
  readonly textLimits: TextLimits;
  readonly unreadTexts: UnreadTexts;
  readonly sharedTexts: SharedTexts;
  /** Stores images. */
  readonly imageKeeper: ImageKeeper;
  readonly heldImages: HeldImages;
  readonly photoWatch: PhotoWatch;
  /** Bytes of an image. */
  readonly maxImage: number;
  /** Whether the voices of streams are told apart on this machine. */
  readonly tellsVoices: boolean;
  /** How many slots the shard has. */
  readonly slots: number;
}
