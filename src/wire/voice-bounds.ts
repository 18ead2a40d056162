/** Bounds of the voices that are kept of one user. */
export interface VoiceBounds {
  /** Voices of one person, each from another conversation. */
  readonly samples: number;
  /** People with a voice. */
  readonly people: number;
}
