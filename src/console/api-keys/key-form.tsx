import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { asProblem, Problem, ProblemNote } from '../shared/index.js';
import { type Family, type Keys, makeKey } from './records.js';

const longestName = 200;

const families = [
  ['developer', 'A program that uses the API (developer key)'],
  ['mcp', 'An assistant that uses the tools (MCP key)'],
] as const;

/** A new key with its secret, which the page keeps until the user closes the note (`NewKeyNote`). */
export interface NewKey {
  readonly name: string;
  readonly secret: string;
  readonly family: Family;
}

const usualOf = (scopes: Keys['scopes'], family: Family): ReadonlySet<string> =>
  new Set(scopes[family].filter(({ usual }) => usual).map(({ scope }) => scope));

/**
 * Converts an error to a problem. If no answer arrived, the service may have made the key, so the remedy says what to
 * do with that key.
 */
const afterRequest = (error: unknown): Problem => {
  const problem = asProblem(error);
  if (problem.status !== 0) return problem;
  const remedy = 'If the list has a new key afterwards, revoke it: its secret was lost.';
  return new Problem(0, problem.message, null, null, remedy);
};

/**
 * Asks for name, kind and scopes of a new key.
 * @param made called with the new key, or with null if the request failed, because the service may still have made a
 * key
 */
export const KeyForm = ({
  scopes,
  field,
  made,
}: {
  scopes: Keys['scopes'];
  field: RefObject<HTMLInputElement | null>;
  made: (key: NewKey | null) => void;
}) => {
  const [name, setName] = useState('');
  const [family, setFamily] = useState<Family>('developer');
  const [ticked, setTicked] = useState(() => usualOf(scopes, 'developer'));
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const make = async (): Promise<void> => {
    const wanted = name.trim();
    if (wanted === '') return setProblem(new Problem(422, 'A key needs a name', null, null, 'Type one.'));
    if (ticked.size === 0)
      return setProblem(
        new Problem(422, 'A key without a permission opens nothing', null, null, 'Tick one or more.'),
      );
    setBusy(true);
    setProblem(null);
    try {
      const secret = await makeKey(family, wanted, [...ticked]);
      setName('');
      made({ name: wanted, secret, family });
    } catch (error) {
      setProblem(afterRequest(error));
      made(null);
    }
    setBusy(false);
  };
  const choose = (chosen: Family): void => {
    setFamily(chosen);
    setTicked(usualOf(scopes, chosen));
  };
  const toggle = (scope: string): void => {
    const changed = new Set(ticked);
    if (!changed.delete(scope)) changed.add(scope);
    setTicked(changed);
  };
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void make();
      }}
    >
      <p>
        <label>
          Name of the key{' '}
          <input
            ref={field}
            autocomplete="off"
            maxLength={longestName}
            placeholder="What uses it, such as a laptop"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
      </p>
      <fieldset>
        <legend>Who uses it</legend>
        {families.map(([value, label]) => (
          <label key={value}>
            <input type="radio" name="family" checked={family === value} onChange={() => choose(value)} />{' '}
            {label}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>What it may do</legend>
        {scopes[family].map(({ scope, sentence }) => (
          <label key={scope}>
            <input type="checkbox" checked={ticked.has(scope)} onChange={() => toggle(scope)} />{' '}
            <span>
              {sentence} <code class="small">{scope}</code>
            </span>
          </label>
        ))}
      </fieldset>
      {problem !== null && <ProblemNote problem={problem} retry={() => void make()} />}
      <button type="submit" disabled={busy}>
        Make the key
      </button>
    </form>
  );
};
