import { UserSums } from '../../common/index.js';
import type { Queueable, QueueBounds } from '../shared/index.js';

/** Returns the key of a stream, which is unique across users. */
const streamOf = ({ user, stream }: Queueable): string => JSON.stringify([user, stream]);

/**
 * A client's unanswered requests by id. This class limits them, because no other limit applies to waiting requests
 * while the service is not available.
 */
export class Outstanding<Request extends Queueable & { readonly id: number }> {
  readonly #requests = new Map<number, Request>();
  readonly #byUser = new UserSums();
  readonly #byStream = new UserSums();

  constructor(private readonly bounds: QueueBounds) {}

  get length(): number {
    return this.#requests.size;
  }

  /** Returns all requests in the order in which they were added. */
  values(): IterableIterator<Request> {
    return this.#requests.values();
  }

  has(id: number): boolean {
    return this.#requests.has(id);
  }

  /** Adds a request. @returns false if the request would exceed a limit. */
  add(request: Request): boolean {
    const { id, user, size } = request;
    const { total, user: most, stream } = this.bounds;
    if (
      this.#byUser.all + size > total ||
      this.#byUser.of(user) + size > most ||
      this.#byStream.of(streamOf(request)) + size > stream
    )
      return false;
    this.#requests.set(id, request);
    this.#count(request, 1);
    return true;
  }

  /** Removes and returns a request. @returns undefined if the id is unknown. */
  take(id: number): Request | undefined {
    const request = this.#requests.get(id);
    if (request === undefined) return undefined;
    this.#requests.delete(id);
    this.#count(request, -1);
    return request;
  }

  #count(request: Request, sign: 1 | -1): void {
    const size = sign * request.size;
    this.#byUser.add(request.user, size);
    this.#byStream.add(streamOf(request), size);
  }
}
