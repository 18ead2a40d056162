import type { Journal } from '../../journal/journal.js';
import type { Logger } from '../../log/logger.js';
import type { Conversations } from '../conversation/conversations.js';
import type { ImageKeeper } from '../images/channel.js';
import type { HeldImages } from '../images/held-images.js';
import type { PhotoWatch } from '../images/photo-watch.js';
import type { Outbox } from '../shared/outbox.js';
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
