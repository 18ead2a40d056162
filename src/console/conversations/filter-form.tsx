import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { searchWanted } from '../shared/index.js';
import { longestSearch } from './address.js';
import type { Filter, Folder, KnownPerson } from './records.js';

const noFilter: Filter = { from: '', to: '', folder: '', starred: false, person: '' };

/** Whether a filter leaves out any conversation. */
export const isNarrow = ({ from, to, folder, starred, person }: Filter): boolean =>
  [from, to, folder, person].some((value) => value !== '') || starred;

/** Whether the first day of a filter is after its last one, so that no conversation can match. */
export const isReversed = ({ from, to }: Filter): boolean => from !== '' && to !== '' && from > to;

/** Search and filters of the list of conversations. */
export const FilterForm = ({
  filter,
  change,
  text,
  search,
  folders,
  people,
}: {
  filter: Filter;
  change: (filter: Filter) => void;
  /** The searched text; empty without a search. */
  text: string;
  /** Searches for a text. With an empty text, shows the list again. */
  search: (text: string) => void;
  folders: readonly Folder[];
  people: readonly KnownPerson[];
}) => {
  const typed = useSignal(text);
  // Updates the field when the address changes, because the browser's buttons back and forward also change the address.
  useLayoutEffect(() => {
    typed.value = text;
  }, [text]);
  const field = useRef<HTMLInputElement>(null);
  const focusSearch = (): void => {
    searchWanted.value = false;
    field.current?.select();
    field.current?.focus();
  };
  useLayoutEffect(() => {
    if (searchWanted.value) focusSearch();
  }, [searchWanted.value]);
  const day = (name: 'from' | 'to', label: string) => (
    <label>
      {label}{' '}
      <input
        type="date"
        value={filter[name]}
        aria-invalid={isReversed(filter)}
        aria-describedby={isReversed(filter) ? 'days-reversed' : undefined}
        onChange={({ currentTarget }) => change({ ...filter, [name]: currentTarget.value })}
      />
    </label>
  );
  const choice = (name: 'folder' | 'person', label: string, options: readonly Folder[]) => (
    <label>
      {label}{' '}
      <select
        value={filter[name]}
        onChange={({ currentTarget }) => change({ ...filter, [name]: currentTarget.value })}
      >
        <option value="">All</option>
        {filter[name] !== '' && !options.some(({ id }) => id === filter[name]) && (
          <option value={filter[name]}>Unknown</option>
        )}
        {options.map(({ id, name: title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          search(typed.value.trim());
        }}
      >
        <input
          type="search"
          ref={field}
          aria-label="Search by words and meaning"
          placeholder="Words, or what it was about"
          maxLength={longestSearch}
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
            if (currentTarget.value === '' && text !== '') search('');
          }}
        />
        <button type="submit" class="plain">
          Search
        </button>
      </form>
      <section class="row" aria-label="Filters">
        {day('from', 'From')}
        {day('to', 'to')}
        {choice('folder', 'Folder', folders)}
        {choice('person', 'Speaker', [{ id: 'me', name: 'Me' }, ...people])}
        <label>
          <input
            type="checkbox"
            checked={filter.starred}
            onChange={({ currentTarget }) => change({ ...filter, starred: currentTarget.checked })}
          />{' '}
          Starred
        </label>
        {isNarrow(filter) && (
          <button type="button" class="plain" onClick={() => change(noFilter)}>
            Show all
          </button>
        )}
      </section>
      {isReversed(filter) && (
        <p role="alert" id="days-reversed" class="note">
          The first day is after the last day. Change one of them.
        </p>
      )}
      {text !== '' && isNarrow(filter) && <p class="small">A search does not use the filters.</p>}
    </>
  );
};
