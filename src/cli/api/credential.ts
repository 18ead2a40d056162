/** Source of the bearer credential of requests. The credential may change while a command runs. */
export interface Credential {
  /** Returns the credential for a request. @throws CommandFailure `unauthorized` if there is none. */
  value(): Promise<string>;
  /**
   * Returns a different credential after the service has refused one; null if no different credential is available.
   * @throws CommandFailure if the replacement fails.
   */
  instead(refused: string): Promise<string | null>;
}

export const fixedCredential = (key: string): Credential => ({
  value: async () => key,
  instead: async () => null,
});
