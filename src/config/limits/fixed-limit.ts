/** Texts about one limit on the limits page. */
export interface LimitWords {
  /** The resource that the limit protects. */
  readonly protects: string;
  /** What a client sees when it exceeds the limit. */
  readonly client: string;
}

/** A limit that is a constant of the program rather than a setting. */
export interface FixedLimit extends LimitWords {
  readonly value: number;
  readonly unit: string;
  /** What the limit counts. */
  readonly bounds: string;
}
