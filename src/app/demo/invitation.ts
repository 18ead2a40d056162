/** Credentials that the demo creates for itself: an account, its token and a developer key. */
export interface Credentials {
  readonly uid: string;
  readonly token: string;
  readonly key: string;
}

/**
 * Commands to try while the demo runs. Each names the address, because a second terminal lacks the demo's settings.
 * @param base address of REST.
 * @param stream address of streams.
 * @param id the saved conversation.
 * @param console line with a link to the console.
 */
export const invitation = (
  base: string,
  stream: string,
  { uid, token, key }: Credentials,
  id: string,
  console: string,
): string => `
Try next (a developer key, and a token of user ${uid}):

  curl -H 'Authorization: Bearer ${key}' '${base}/v1/dev/user/conversations/${id}?include_transcript=true'
  wscat -H 'Authorization: Bearer ${token}' -c '${stream}?uid=${uid}&codec=pcm16&sample_rate=16000'
  npx cochlea listen fixtures/speech/*.wav --url '${stream}' --token '${token}'

${console}

Ctrl-C closes everything.`;
