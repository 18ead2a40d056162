/** The form of the declaration of a record. Store, service, API, tools and command line are derived from it. */

/** Types of values in SQL. */
interface Values {
  readonly uuid: string;
  readonly text: string;
  readonly 'text[]': string[];
  readonly boolean: boolean;
  readonly integer: number;
  readonly 'double precision': number;
  readonly timestamptz: Date;
  readonly jsonb: unknown;
}

export type ColumnType = keyof Values;

/** Where a field is shown: in answers of the developer API, in those of tools, in the summary of a conversation. */
export type Surface = 'developer' | 'tools' | 'summary';

/** Texts of an option: one for creation and change, or one for each. */
export type ForBoth<Text> = Text | { readonly create: Text; readonly change: Text };

/** How the command line takes a field and shows it in lists. A field without it is shown in single records only. */
export interface CommandLine {
  /** Name of the option; the name of the field with hyphens when absent. */
  readonly option?: string;
  /** Placeholder of the value in the help; none for a boolean. */
  readonly value?: string;
  /** Help of the option. A field without it has no option. */
  readonly help?: ForBoth<string>;
  /** Choices in the order of the help, where it is not that of `values`. */
  readonly choices?: readonly string[];
  /** Whether creation takes it as an argument; a change takes it as an option. */
  readonly argument?: true;
  /** The option that sets a boolean to false. */
  readonly off?: { readonly option: string; readonly help: ForBoth<string> };
  /** The option of a change that clears it; `clear-` and the name of its option when `option` is absent. */
  readonly clear?: { readonly option?: string; readonly help: string };
  /** Head of its column in lists; the name of the option when absent. */
  readonly head?: string;
  /** Code points of the column in lists. */
  readonly width?: number;
}

export interface Field {
  readonly type: ColumnType;
  /** Name of the column, where it differs from that of the field. */
  readonly column?: string;
  /**
   * What makes a value that is not written to a column of the table: PostgreSQL (`generated`), a query of the store (`query`), or the
   * service when it answers (`service`).
   */
  readonly from?: 'generated' | 'query' | 'service';
  readonly nullable?: true;
  /** What answers have in place of null. */
  readonly absent?: string | number;
  /** Code points of a text, or of each item of a list. A text with bounds counts into the bytes of an answer. */
  readonly most?: number;
  /** Whether a request may give a blank text, which counts as none. */
  readonly blank?: true;
  /** Items of a list. */
  readonly items?: number;
  /** Name of one item in messages; that of the field when absent. */
  readonly item?: string;
  /** All values of a choice. */
  readonly values?: readonly string[];
  /** Whether a day without a time is a day of the user's time zone; else it is one of UTC. */
  readonly localDay?: true;
  /**
   * How a request for creation gives it: always (`required`), or perhaps, also as null (`nullable`). `usual` fills the usual value when
   * the request is read, so that the description of the API names it; with `optional` the service fills it.
   */
  readonly create?: 'required' | 'usual' | 'optional' | 'nullable';
  /** How a request for a change gives it; null clears a `nullable` one. */
  readonly change?: 'optional' | 'nullable';
  /** The value of a new record whose request does not give it; null, where there is none. */
  readonly usual?: string | number | boolean | readonly string[];
  /** Surfaces that show it; API and tools when absent. */
  readonly shown?: readonly Surface[];
  /** Whether only the beginning is shown of a locked record. */
  readonly cut?: true;
  /** Descriptions in OpenAPI: of the answer, of requests. */
  readonly description?: { readonly answer?: string; readonly create?: string; readonly change?: string };
  /** Sentences for the arguments of tools that create or change the record; a tool without one has no such argument. */
  readonly tool?: string | { readonly create?: string; readonly change?: string };
  readonly cli?: CommandLine;
}

export type Fields = Readonly<Record<string, Field>>;

/** A record. Its fields stand in the order of answers. */
export interface RecordDeclaration {
  readonly table: string;
  /** Name of one record and of several in messages. */
  readonly one: string;
  readonly many: string;
  readonly fields: Fields;
  /** Fields that come before the others where the order is not that of answers: in requests, arguments of tools, options. */
  readonly first?: {
    readonly request?: readonly string[];
    readonly tool?: readonly string[];
    readonly option?: readonly string[];
  };
  /** Fields that a change may give, as messages name them; all of them in the order of requests when absent. */
  readonly changes?: string;
  /** Fields that lists of the command line show, in their order. */
  readonly listed?: readonly string[];
}

/** Shown in answers and in the summary of a conversation. */
export const summarised = ['developer', 'tools', 'summary'] as const;
/** Shown nowhere. */
export const hidden = [] as const;

/** A value of a field, when there is one. */
export type ValueOf<F extends Field> = F extends { readonly values: readonly (infer Value)[] }
  ? Value
  : Values[F['type']];

type NullOf<F extends Field> = F extends { readonly nullable: true } ? null : never;
type ColumnOf<Name, F extends Field> = F extends { readonly column: infer Column extends string }
  ? Column
  : Name & string;
type Written<F extends Field> = F extends { readonly from: string } ? false : true;
type Read<F extends Field> = F extends { readonly from: 'service' } ? false : true;

/** A row as a query reads it. */
export type RowOf<R extends RecordDeclaration> = {
  readonly [Name in keyof R['fields'] as Read<R['fields'][Name]> extends true
    ? ColumnOf<Name, R['fields'][Name]>
    : never]: ValueOf<R['fields'][Name]> | NullOf<R['fields'][Name]>;
};

/** The columns of a row that an insertion writes. */
export type NewRowOf<R extends RecordDeclaration> = {
  readonly [Name in keyof R['fields'] as Written<R['fields'][Name]> extends true
    ? ColumnOf<Name, R['fields'][Name]>
    : never]: ValueOf<R['fields'][Name]> | NullOf<R['fields'][Name]>;
};

/** The columns of a new row that its request gives, or that have a usual value; null counts as one. */
export type InitialOf<R extends RecordDeclaration> = {
  readonly [Name in keyof R['fields'] as Written<R['fields'][Name]> extends true
    ? R['fields'][Name] extends
        | { readonly create: string }
        | { readonly usual: unknown }
        | { readonly nullable: true }
      ? ColumnOf<Name, R['fields'][Name]>
      : never
    : never]: ValueOf<R['fields'][Name]> | NullOf<R['fields'][Name]> | Missing<R['fields'][Name]>;
};

/** Null for a field that a request may leave out, and that has no usual value: the service finds one. */
type Missing<F extends Field> = F extends { readonly create: 'optional' | 'nullable' }
  ? F extends { readonly usual: unknown }
    ? never
    : null
  : never;

/** What a request gives of a field. Lists are not changed. */
type Given<F extends Field> = F['type'] extends 'text[]' ? readonly string[] : ValueOf<F>;

/** The fields that a request for creation gives. */
export type CreationOf<R extends RecordDeclaration> = {
  readonly [Name in keyof R['fields'] as R['fields'][Name] extends { readonly create: 'required' }
    ? Name
    : never]: Given<R['fields'][Name]>;
} & {
  readonly [Name in keyof R['fields'] as R['fields'][Name] extends {
    readonly create: 'usual' | 'optional' | 'nullable';
  }
    ? Name
    : never]?:
    | Given<R['fields'][Name]>
    | (R['fields'][Name] extends { readonly create: 'nullable' } ? null : never)
    | undefined;
};

/** The fields that a request for a change gives; absent ones stay. */
export type ChangeOf<R extends RecordDeclaration> = {
  readonly [Name in keyof R['fields'] as R['fields'][Name] extends { readonly change: string }
    ? Name
    : never]?:
    | Given<R['fields'][Name]>
    | (R['fields'][Name] extends { readonly change: 'nullable' } ? null : never)
    | undefined;
};

/** The fields that tools take when they create or change a record. */
export type ToolFields<R extends RecordDeclaration, Effect extends 'create' | 'change'> = {
  [Name in keyof R['fields']]: R['fields'][Name] extends { readonly tool: infer Tool }
    ? Tool extends string | { readonly [E in Effect]: string }
      ? Name
      : never
    : never;
}[keyof R['fields']];

type ShownIn<F extends Field, S extends Surface> = F extends { readonly shown: readonly (infer Where)[] }
  ? S extends Where
    ? true
    : false
  : S extends 'summary'
    ? false
    : true;

/** A value in an answer: a moment is a text. */
type ShownValue<F extends Field> =
  | (F['type'] extends 'timestamptz' ? string : ValueOf<F>)
  | (F extends { readonly absent: string | number } ? never : NullOf<F>);

/** A record as a surface shows it. */
export type ShownOf<R extends RecordDeclaration, S extends Surface = 'developer'> = {
  readonly [Name in keyof R['fields'] as ShownIn<R['fields'][Name], S> extends true
    ? Name
    : never]: ShownValue<R['fields'][Name]>;
};

/** Whether a surface shows a field. */
export const isShown = ({ shown }: Field, surface: Surface): boolean =>
  shown === undefined ? surface !== 'summary' : shown.includes(surface);

/** The sentence for the argument of a tool; undefined where the tools have no such argument. */
export const toolSentence = ({ tool }: Field, effect: 'create' | 'change'): string | undefined =>
  typeof tool === 'object' ? tool[effect] : tool;

/** Names as a message lists them. */
export const alternatives = (names: readonly string[]): string =>
  names.length < 3 ? names.join(' or ') : `${names.slice(0, -1).join(', ')}, or ${names.at(-1)}`;

/** The fields that a change may give, as messages name them. */
export const changesOf = (record: RecordDeclaration): string =>
  record.changes ??
  alternatives(fieldsOf(record, 'request').flatMap(([name, { change }]) => (change ? [name] : [])));

/** The fields of a record with their names, in their order; those that come first on a surface come first. */
export const fieldsOf = (
  { fields, first }: RecordDeclaration,
  order?: 'request' | 'tool' | 'option',
): readonly (readonly [name: string, field: Field])[] => {
  const ahead = (order && first?.[order]) ?? [];
  const names = [...ahead, ...Object.keys(fields).filter((name) => !ahead.includes(name))];
  return names.map((name) => [name, fields[name]!] as const);
};
