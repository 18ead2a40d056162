import type { Logger } from '../../log/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import type { PhotoRefusal } from '../../photos/index.js';
import type { LiveConversation } from '../conversation/index.js';
import {
  type ClientMessage,
  type ClientSender,
  type EngineClock,
  events,
  type MessageRefusal,
} from '../shared/index.js';
import { type CompleteImage, ImageAssemblies } from './assemblies.js';
import type { ImageKeeper } from './channel.js';
import type { ImageMemory } from './held-images.js';
import type { PhotoWatch } from './photo-watch.js';

export interface ClientImagesOptions {
  readonly uid: string;
  readonly memory: ImageMemory;
  /** Maximum size of an image, in bytes. */
  readonly limit: number;
  readonly keeper: ImageKeeper;
  readonly clock: Pick<EngineClock, 'wall'>;
  readonly metrics: MetricsRow;
  readonly log: Logger;
  readonly client: ClientSender;
  /** Waits for the descriptions of stored images. */
  readonly photos: PhotoWatch;
}

/** Joins the image chunks of one client, stores each image with the conversation, then reports it to the client. */
export class ClientImages {
  readonly #assemblies: ImageAssemblies;
  /** Images that are being stored. */
  readonly #storing = new Set<Promise<void>>();
  #closed = false;
  /** Set by the session when the stream begins. While it is undefined, images are refused. */
  conversation: LiveConversation | undefined;

  constructor(private readonly options: ClientImagesOptions) {
    const { limit, memory, metrics } = options;
    this.#assemblies = new ImageAssemblies(
      memory,
      limit,
      (images) => metrics.add('images_forgotten_total', images),
      (id) => this.#refuse(id, { reason: 'images_waiting' }),
    );
  }

  /**
   * Adds a chunk.
   * @param data the chunk's base64 if it is stored outside the message and already counted in the user's image memory.
   * It is null if that memory had no space, and undefined if the message itself contains the base64.
   * @throws CochleaError image_chunk_invalid
   */
  chunk(message: Extract<ClientMessage, { type: 'image_chunk' }>, data: Buffer | null | undefined): void {
    const { clock, memory, metrics } = this.options;
    metrics.add('image_chunks_total');
    const { id, index, total } = message;
    let kept = data;
    if (kept === undefined) {
      // Allocates outside Node's shared pool, because the buffer's memory is transferred to another thread.
      kept = Buffer.allocUnsafeSlow(Buffer.byteLength(message.data));
      kept.write(message.data);
      if (!memory.take(kept.length)) kept = null;
    }
    const image = this.#assemblies.add({ id, index, total, data: kept }, clock.wall());
    if (image?.kind === 'refused') this.#refuse(id, image);
    if (image?.kind !== 'complete') return;
    const storing = this.#store(image).finally(() => {
      memory.give(image.bytes);
      this.#storing.delete(storing);
    });
    this.#storing.add(storing);
  }

  /** Drops unfinished images that have received no chunk for `imageTimeout` ms. */
  expire(): void {
    this.#assemblies.expire(this.options.clock.wall());
  }

  /** Resolves when every complete image is stored or refused. */
  async settled(): Promise<void> {
    while (this.#storing.size > 0) await Promise.all(this.#storing);
  }

  /** Drops unfinished images. The session calls this when the stream is closed. */
  clear(): void {
    this.#closed = true;
    this.#assemblies.clear();
    this.options.photos.forget(this.options.client);
  }

  #refuse(id: string, refusal: Pick<MessageRefusal, 'reason' | 'limit'>): void {
    const { client, metrics } = this.options;
    metrics.add('images_refused_total');
    client.send(events.messageRefused({ messageType: 'image_chunk', id, ...refusal }));
  }

  /** Stores a complete image and its record, and reports the result to the client. Never rejects. */
  async #store({ id, parts }: CompleteImage): Promise<void> {
    const { client, clock, keeper, limit, log, metrics, photos, uid } = this.options;
    const refuse = (reason: PhotoRefusal | 'no_space'): void =>
      this.#refuse(id, { reason, ...(reason === 'image_too_large' && { limit }) });
    try {
      const kept = await keeper.keep(uid, parts);
      if ('refusal' in kept) {
        refuse(kept.refusal);
        return;
      }
      const { photo } = kept;
      const stored = await (this.conversation?.see(photo) ?? 'unavailable');
      if (stored === 'stored') {
        metrics.add('images_stored_total');
        client.send(events.photoProcessing(id, photo.id));
        if (!this.#closed) photos.expect(photo.id, client, clock.wall());
        return;
      }
      keeper.remove(photo.file);
      refuse(stored === 'full' ? 'no_space' : 'try_again');
    } catch (thrown) {
      log.error({ err: thrown }, 'an image was not stored');
      refuse('try_again');
    }
  }
}
