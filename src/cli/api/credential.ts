/** A bearer credential of requests. It may change while a command runs. */
export interface Credential {
  /** Credential for a request. @throws CommandFailure `unauthorized` if there is none. */
  value(): Promise<string>;
  /**
   * Replaces a credential that the service has refused; null if no other is available.
   * @throws CommandFailure if the replacement fails.
   */
  instead(refused: string): Promise<string | null>;
}

export const fixedCredential = (key: string): Credential => ({
  value: async () => key,
  instead: async () => null,
});
