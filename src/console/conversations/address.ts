import type { Filter } from './records.js';

/**
 * What the list of conversations shows. With a searched text, it shows what the search finds; without one, the
 * conversations that the filter selects.
 */
export interface Wanted {
  readonly text: string;
  readonly filter: Filter;
}

const page = '/console/conversations';

/** Maximum length of a searched text. */
export const longestSearch = 500;
/** Maximum length of the id of a folder or a person. */
const longestId = 200;

const dayForm = /^\d{4}-\d\d-\d\d$/;

const dayOf = (value = ''): string => (dayForm.test(value) && !Number.isNaN(Date.parse(value)) ? value : '');

const idOf = (value = ''): string => (value.length <= longestId ? value : '');

/** Reads the query of an address. Anyone can write an address, so unknown and faulty values count as absent. */
export const wantedOf = ({
  q = '',
  from,
  to,
  folder,
  person,
  starred,
}: Readonly<Record<string, string | undefined>>): Wanted => ({
  text: q.trim().slice(0, longestSearch),
  filter: {
    from: dayOf(from),
    to: dayOf(to),
    folder: idOf(folder),
    starred: starred === 'yes',
    person: idOf(person),
  },
});

/** Returns the address of the list. From this address, `wantedOf` reads the same search and filter again. */
export const addressOf = ({ text, filter: { from, to, folder, starred, person } }: Wanted): string => {
  const query = new URLSearchParams({
    ...(text && { q: text }),
    ...(from && { from }),
    ...(to && { to }),
    ...(folder && { folder }),
    ...(person && { person }),
    ...(starred && { starred: 'yes' }),
  }).toString();
  return query === '' ? page : `${page}?${query}`;
};
