import protobuf from 'protobufjs';

/**
 * Number of a spill entry in its journal. The bytes of the entry contain the number in addition to the operation. An
 * entry may exist in several places, such as the disk of its engine and the NATS stream of a fleet. The database
 * records the numbers of the entries that were written, so that each entry is written only once.
 */
export interface EntryNumber {
  /** Name of the journal in the database. */
  readonly journal: string;
  /** Number of the entry: 1 for the first entry of the journal, then consecutive. */
  readonly number: number;
  /** Number of the piece of a divided entry, from 0; undefined for a whole entry. */
  readonly part?: number | undefined;
}

/** Maximum number of pieces of an entry. The number of a piece has 16 bits. */
export const mostParts = 65_536;

const field = (type: string, id: number) => ({ type, id });

// These fields are encoded in the same bytes as the entry itself. Their field numbers differ from those in `spill.ts`,
// and earlier releases skip the fields.
const type = protobuf.Root.fromJSON({
  nested: {
    Numbered: {
      fields: { journal: field('string', 12), number: field('double', 13), part: field('uint32', 14) },
    },
  },
}).lookupType('Numbered');

/** Appends a number to the bytes of an entry. */
export const withEntryNumber = (entry: Uint8Array, { journal, number, part }: EntryNumber): Uint8Array => {
  // Part 0 is stored as 1, because the default value 0 would not be encoded.
  const plain = { journal, number, ...(part === undefined ? {} : { part: part + 1 }) };
  return Buffer.concat([entry, type.encode(type.fromObject(plain)).finish()]);
};

/** Reads the number of an entry. @returns undefined for an entry without a number, and for damaged bytes. */
export const readEntryNumber = (entry: Uint8Array): EntryNumber | undefined => {
  try {
    const { journal, number, part } = type.toObject(type.decode(entry)) as {
      journal?: string;
      number?: number;
      part?: number;
    };
    if (journal === undefined || number === undefined || !isNumber(number)) return undefined;
    if (part === undefined) return { journal, number };
    return part > mostParts ? undefined : { journal, number, part: part - 1 };
  } catch {
    return undefined;
  }
};

/** Largest number of an entry. Together with the 16 bits for the piece, the number still fits into an exact integer. */
const largestNumber = 2 ** 36;

const isNumber = (number: number): boolean =>
  Number.isInteger(number) && number > 0 && number <= largestNumber;

/**
 * Range of integers `[from, end)` that stands for an entry or a piece. A piece has one integer; an entry has the
 * integers of all its possible pieces.
 */
export interface NumberRange {
  readonly from: number;
  readonly end: number;
}

/** Returns the range of an entry or piece. */
export const rangeOf = ({ number, part }: EntryNumber): NumberRange => {
  const first = number * mostParts;
  return part === undefined
    ? { from: first, end: first + mostParts }
    : { from: first + part, end: first + part + 1 };
};
