/** Key of an in-progress conversation. Streams of the same user, source and device continue the same conversation. */
export interface ConversationKey {
  readonly uid: string;
  readonly source: string;
  /** `{platform}_{hash}` or null. */
  readonly deviceId: string | null;
}

/** Returns a text that differs between keys. */
export const textOfKey = ({ uid, source, deviceId }: ConversationKey): string =>
  JSON.stringify([uid, source, deviceId]);
