/** A bearer credential of requests, which may change while a command runs. */
export interface Credential {
  /** The credential for a request. @throws CommandFailure `unauthorized` where there is none. */
  value(): Promise<string>;
  /**
   * Another one in the place of one that the service has refused, or null where there is no way to get one.
   * @throws CommandFailure where getting one fails.
   */
  instead(refused: string): Promise<string | null>;
}

export const fixedCredential = (key: string): Credential => ({
  value: async () => key,
  instead: async () => null,
});
