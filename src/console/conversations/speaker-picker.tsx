import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { me } from '../shared/index.js';
import { EditorButtons, type EditorProps } from './editor.js';
import type { KnownPerson, Person } from './records.js';
import type { Scope } from './rows.js';

interface Choice {
  readonly label: string;
  readonly person: Person;
}

const mostShown = 8;

/**
 * Returns the choices for a typed text: known people whose name begins with the text, then a new person with this name.
 * Enter takes the first choice.
 */
export const choicesFor = (typed: string, people: readonly KnownPerson[], own: string | null): Choice[] => {
  const text = typed.trim().toLowerCase();
  const begins = (name: string): boolean => name.toLowerCase().startsWith(text);
  const self: Choice = { label: own === null ? 'Me' : `Me (${own})`, person: 'me' };
  const isSelf = begins('Me') || (own !== null && begins(own));
  const known = people
    .filter(({ name }) => begins(name))
    .map(({ id, name }): Choice => ({ label: name, person: { id } }));
  const isKnown = people.some(({ name }) => name.toLowerCase() === text);
  const exact = known.filter(({ label }) => label.toLowerCase() === text);
  const others = known.filter((choice) => !exact.includes(choice));
  return [
    ...exact,
    ...(text === '' || isSelf ? [self] : []),
    ...others.slice(0, mostShown),
    ...(text === '' || isKnown
      ? []
      : [{ label: `New person: ${typed.trim()}`, person: { name: typed.trim() } }]),
    ...(text === '' ? [{ label: 'Unknown person', person: null }] : []),
  ];
};

const scopes = [
  ['all', 'all of this speaker'],
  ['block', 'this block'],
  ['one', 'this only'],
] as const satisfies readonly (readonly [Scope, string])[];

/** Asks who speaks a segment. Arrow keys choose, Enter assigns, Escape leaves. */
export const SpeakerPicker = ({ state, row, close }: EditorProps) => {
  const typed = useSignal('');
  const chosen = useSignal(0);
  const scope = useSignal<Scope>('all');
  const failed = useSignal('');
  const busy = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  // Sets the focus before the next frame, so that keys that the user presses at once reach the field.
  useLayoutEffect(() => field.current?.focus(), []);
  const choices = choicesFor(typed.value, state.people.value, me.value?.name ?? null);
  const at = Math.min(chosen.value, choices.length - 1);
  const { id } = row.segment.peek();
  const assign = async (choice: Choice | undefined): Promise<void> => {
    if (choice === undefined || busy.value) return;
    busy.value = true;
    try {
      await state.name(row, choice.person, scope.value);
      close();
    } catch (error) {
      failed.value = (error as Error).message;
    }
    busy.value = false;
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && !event.isComposing && !(event.target instanceof HTMLButtonElement))
      void assign(choices[at]);
    else if (event.key === 'ArrowDown') chosen.value = Math.min(choices.length - 1, at + 1);
    else if (event.key === 'ArrowUp') chosen.value = Math.max(0, at - 1);
    else return;
    event.preventDefault();
  };
  return (
    <form
      class="editor"
      onKeyDown={pressed}
      onSubmit={(event) => {
        event.preventDefault();
        void assign(choices[at]);
      }}
    >
      <fieldset>
        <legend>For which segments</legend>
        {scopes.map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name={`scope-${id}`}
              checked={scope.value === value}
              onChange={() => {
                scope.value = value;
              }}
            />{' '}
            {label} ({state.scopeOf(row, value).length})
          </label>
        ))}
      </fieldset>
      <input
        ref={field}
        role="combobox"
        aria-label="Who is this?"
        aria-expanded="true"
        aria-controls={`people-${id}`}
        aria-activedescendant={`person-${id}-${at}`}
        aria-autocomplete="list"
        autocomplete="off"
        placeholder="Type a name"
        maxLength={100}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          chosen.value = 0;
        }}
      />
      <div role="listbox" id={`people-${id}`} aria-label="People" class="choices">
        {choices.map(({ label }, index) => (
          <div
            key={label}
            id={`person-${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => void assign(choices[index])}
            onKeyDown={pressed}
          >
            <bdi>{label}</bdi>
          </div>
        ))}
      </div>
      {failed.value !== '' && <p role="alert">{failed.value}.</p>}
      <EditorButtons label="Assign" busy={busy.value} close={close} />
    </form>
  );
};
