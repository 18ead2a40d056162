/** Texts about one limit on the limits page. */
export interface LimitWords {
  /** The resource that the limit protects. */
  readonly protects: string;
  /** The effect on a client that exceeds the limit. */
  readonly client: string;
}

/** A limit that is a constant of the program instead of a setting. */
export interface FixedLimit extends LimitWords {
  readonly value: number;
  readonly unit: string;
  /** The quantity that the limit bounds. */
  readonly bounds: string;
}
