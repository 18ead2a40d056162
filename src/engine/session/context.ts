import type { Journal } from '../../journal/index.js';
import type { Logger } from '../../log/index.js';
import type { SpeakerLanguages } from '../../stt/providers/index.js';
import type { Conversations } from '../conversation/index.js';
import type { HeldImages, ImageKeeper, PhotoWatch } from '../images/index.js';
import type { Outbox } from '../shared/index.js';
import type { TextLimits } from './client-text.js';
import type { SharedTexts } from './shared-texts.js';
import type { TrackContext } from './track.js';
import type { UnreadTexts } from './unread-texts.js';

/**
 * Objects that the sessions of a shard share. None of these objects refers to the shard, so a session never calls its
 * shard.
 */
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
  /** Maximum size of an image, in bytes. */
  readonly maxImage: number;
  /** Returns the languages that a user may speak on a stream with `language=multi`. */
  readonly speakerLanguages: SpeakerLanguages;
  /** Whether this engine diarizes streams by voice. */
  readonly tellsVoices: boolean;
  /** Number of slots of the shard. */
  readonly slots: number;
}
