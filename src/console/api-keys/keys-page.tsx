import { useRef, useState } from 'preact/hooks';
import { Heading, Shown, timeOf, useLoaded } from '../shared/index.js';
import { KeyForm, type NewKey } from './key-form.js';
import { NewKeyNote } from './new-key-note.js';
import { type ApiKey, type Keys, readKeys } from './records.js';
import { RevokeQuestion } from './revoke-question.js';

const kindOf = ({ family }: ApiKey): string => (family === 'mcp' ? 'MCP key' : 'Developer key');

const KeyRow = ({
  apiKey,
  scopes,
  revoke,
}: {
  apiKey: ApiKey;
  scopes: Keys['scopes'];
  revoke: () => void;
}) => {
  const { family, name, key_prefix, created_at, last_used_at } = apiKey;
  const sentenceOf = (scope: string): string =>
    scopes[family].find((known) => known.scope === scope)?.sentence ?? scope;
  return (
    <li>
      <h3>
        <bdi>{name}</bdi>
      </h3>
      <p>
        {kindOf(apiKey)} <code>{key_prefix}</code>
      </p>
      <p class="small">
        Made {timeOf(created_at)},{' '}
        {last_used_at === null ? 'never used' : `last used ${timeOf(last_used_at)}`}
      </p>
      {apiKey.scopes.length === 0 ? (
        <p>It opens nothing.</p>
      ) : (
        <ul>
          {apiKey.scopes.map((scope) => (
            <li key={scope}>{sentenceOf(scope)}</li>
          ))}
        </ul>
      )}
      <button type="button" class="plain" onClick={revoke} aria-label={`Revoke ${name}`}>
        Revoke
      </button>
    </li>
  );
};

/** Lists, makes and revokes the keys of the user. */
export const KeysPage = () => {
  const loaded = useLoaded('keys', readKeys);
  const [made, setMade] = useState<NewKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const [revoked, setRevoked] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLHeadingElement>(null);
  const closeQuestion = (isRevoked: boolean): void => {
    setRevoking(null);
    if (!isRevoked) return;
    setRevoked(revoking!.name);
    loaded.reload();
    // Moves the focus to the list, because the focused button of the revoked key is gone now.
    list.current?.focus();
  };
  return (
    <>
      <Heading>API keys</Heading>
      <p>
        A key lets a program or an assistant use your data without you. It works until you revoke it, also
        after you sign out.
      </p>
      {made !== null && (
        <NewKeyNote
          made={made}
          close={() => {
            setMade(null);
            list.current?.focus();
          }}
        />
      )}
      <h2 tabIndex={-1} ref={list}>
        Your keys
      </h2>
      <p role="status">
        {revoked !== '' && (
          <>
            The key <bdi>{revoked}</bdi> is revoked.
          </>
        )}
      </p>
      {revoking !== null && <RevokeQuestion apiKey={revoking} close={closeQuestion} />}
      <Shown loaded={loaded}>
        {({ keys, scopes }) => (
          <>
            {keys.length === 0 ? (
              <>
                <p>You have no keys. A wearable, a program or an assistant needs one.</p>
                <button type="button" class="plain" onClick={() => field.current?.focus()}>
                  Make a key
                </button>
              </>
            ) : (
              <ul class="list key-rows">
                {keys.map((apiKey) => (
                  <KeyRow
                    key={apiKey.id}
                    apiKey={apiKey}
                    scopes={scopes}
                    revoke={() => {
                      setRevoked('');
                      setRevoking(apiKey);
                    }}
                  />
                ))}
              </ul>
            )}
            <h2>Make a key</h2>
            <KeyForm
              scopes={scopes}
              field={field}
              made={(key) => {
                setMade(key);
                setRevoked('');
                loaded.reload();
              }}
            />
          </>
        )}
      </Shown>
    </>
  );
};
