import { randomUUID } from 'node:crypto';
import type { ImageKeeper } from '../../../src/engine/images/channel.js';
import type { Keeping } from '../../../src/photos/keep-photo.js';

/** Stores images in memory. While `held` is set, answers wait for `release`. */
export class FakeImageKeeper implements ImageKeeper {
  readonly kept: { readonly uid: string; readonly base64: string }[] = [];
  readonly removed: string[] = [];
  /** If set, images are not stored, and this is the answer to each of them. */
  refusal: Extract<Keeping, { refusal: unknown }> | undefined;
  /** If set, answers wait in this list for `release`. */
  held: (() => void)[] | undefined;

  release(): void {
    const waiting = this.held ?? [];
    this.held = undefined;
    for (const go of waiting) go();
  }

  async keep(uid: string, parts: readonly Uint8Array[]): Promise<Keeping> {
    await new Promise<void>((resolve) => {
      if (this.held === undefined) resolve();
      else this.held.push(resolve);
    });
    if (this.refusal !== undefined) return this.refusal;
    const base64 = Buffer.concat(parts).toString('latin1');
    this.kept.push({ uid, base64 });
    const id = randomUUID();
    return {
      photo: { id, place: 'place', file: `${id}.photo`, contentType: 'image/jpeg', bytes: base64.length },
    };
  }

  remove(file: string): void {
    this.removed.push(file);
  }
}
