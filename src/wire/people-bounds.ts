/** Bounds of the people whom a user knows, wherever they are added: the length of a name in code points, and their number. */
export const personBounds = { name: 100, people: 1000 } as const;

/** Bounds of the voices that are kept of one user. */
export interface VoiceBounds {
  /** Voices of one person, each from another conversation. */
  readonly samples: number;
  /** People with a voice. */
  readonly people: number;
}
