import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { searchWanted } from '../shared/index.js';
import type { Filter, Folder, KnownPerson } from './records.js';

export const noFilter: Filter = { from: '', to: '', folder: '', starred: false, person: '' };

/** Whether a filter leaves out any conversation. */
export const isNarrow = ({ from, to, folder, starred, person }: Filter): boolean =>
  [from, to, folder, person].some((value) => value !== '') || starred;

/** Search and filters of the list of conversations. */
export const FilterForm = ({
  filter,
  change,
  search,
  folders,
  people,
}: {
  filter: Filter;
  change: (filter: Filter) => void;
  /** Searches for a text. With an empty text, shows the list again. */
  search: (text: string) => void;
  folders: readonly Folder[];
  people: readonly KnownPerson[];
}) => {
  const typed = useSignal('');
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
          maxLength={500}
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
            if (currentTarget.value === '') search('');
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
    </>
  );
};
