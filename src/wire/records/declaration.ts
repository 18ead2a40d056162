/**
 * Types of record declarations. The code of store, service, API, tools and command line is derived from the
 * declarations.
 */

/** TypeScript type of the values of each SQL type that a field can have. */
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

/** Places that show a field: answers of the developer API, answers of tools, the summary of a conversation. */
export type Surface = 'developer' | 'tools' | 'summary';

/** Texts of a command-line option: one text for the commands `create` and `update`, or a separate text for each. */
export type ForBoth<Text> = Text | { readonly create: Text; readonly change: Text };

/** Describes the command-line option of a field, and the field's column in printed lists. */
export interface CommandLine {
  /** Name of the option; absent: the field name with hyphens. */
  readonly option?: string;
  /**
   * Placeholder of the value in the help; absent: the placeholder of the field's type. Boolean options have no
   * placeholder.
   */
  readonly value?: string;
  /** Help text of the option; absent: the field name with spaces. */
  readonly help?: ForBoth<string>;
  /** Permitted values in the order in which the help shows them; absent: the field's `values`. */
  readonly choices?: readonly string[];
  /** Whether the field is the argument of the command `create`. In the command for changes, the field is an option. */
  readonly argument?: true;
  /** A second option that sets the boolean field to false. */
  readonly off?: { readonly option: string; readonly help: ForBoth<string> };
  /**
   * Option with which the command for changes sets the field to null. Absent: every field that a change may set to null
   * has such an option, with the name `clear-` plus the name of the field's option. False: there is no such option.
   */
  readonly clear?: { readonly option?: string; readonly help: string } | false;
  /**
   * Whether the command reads the value from standard input if the value is `-`, and refuses a blank text. An argument
   * of the command `create` always behaves in this way.
   */
  readonly stdin?: true;
  /** Header of the field's column in lists; absent: the name of the option. */
  readonly head?: string;
  /** Column width in lists, in code points. */
  readonly width?: number;
  /** Path of the value in answers, as names separated by dots; absent: the field name. */
  readonly path?: string;
  /** Whether lists show a star for true and nothing for false. */
  readonly star?: true;
}

export interface Field {
  readonly type: ColumnType;
  /** Name of the database column, if it differs from the field name. */
  readonly column?: string;
  /**
   * Source of the value, if insertions do not write it: PostgreSQL (`generated`), a query of the store (`query`), or
   * code of the service (`service`).
   */
  readonly from?: 'generated' | 'query' | 'service';
  readonly nullable?: true;
  /** Value that answers contain instead of null. */
  readonly absent?: string | number;
  /**
   * Maximum number of code points in a text, or in each item of a list. The size of answers in bytes is limited; only
   * texts and lists with this maximum are counted for this limit.
   */
  readonly most?: number;
  /** Whether a request may contain a blank text, which counts as absent. */
  readonly blank?: true;
  /** Maximum number of items in a list. */
  readonly items?: number;
  /** Name of one item in messages; absent: the field name. */
  readonly item?: string;
  /** All values that the field can have. */
  readonly values?: readonly string[];
  /** Whether a value that contains only a day means this day in the user's time zone. Absent: the day in UTC. */
  readonly localDay?: true;
  /**
   * How a request to create a record contains the field. Absent: the request must not contain the field. `required`: it
   * must contain the field. `optional`: the service sets a missing value. `nullable`: like `optional`, but the value
   * may also be null. `usual`: the request's parser sets the default, so that the API's description contains the
   * default.
   */
  readonly create?: 'required' | 'usual' | 'optional' | 'nullable';
  /** Present if a request to change a record may contain the field. In a `nullable` field, null removes the value. */
  readonly change?: 'optional' | 'nullable';
  /** Value of the field in a new record if the request contains none. Without `usual`, this value is null. */
  readonly usual?: string | number | boolean | readonly string[];
  /** Places that show the field; absent: answers of the developer API and of tools. */
  readonly shown?: readonly Surface[];
  /** Whether a locked record shows only the start of this text. */
  readonly cut?: true;
  /** Descriptions of the field in OpenAPI: in answers, and in requests that create or change a record. */
  readonly description?: { readonly answer?: string; readonly create?: string; readonly change?: string };
  /**
   * Descriptions of the field as an argument of tools that create or change the record. A tool without a description
   * does not take the field.
   */
  readonly tool?: string | { readonly create?: string; readonly change?: string };
  /** Command-line option of the field. False: the field has no option. */
  readonly cli?: CommandLine | false;
}

export type Fields = Readonly<Record<string, Field>>;

/** Declaration of a record. The order of its fields is their order in answers. */
export interface RecordDeclaration {
  readonly table: string;
  /** Singular and plural name of the record in messages. */
  readonly one: string;
  readonly many: string;
  readonly fields: Fields;
  /**
   * Names of fields that come first in requests, in arguments of tools, or in options. Other fields follow in the order
   * of answers.
   */
  readonly first?: {
    readonly request?: readonly string[];
    readonly tool?: readonly string[];
    readonly option?: readonly string[];
  };
  /**
   * Text with the changeable fields, for messages; absent: the names of all changeable fields, in the order of
   * requests.
   */
  readonly changes?: string;
  /** Names of the fields that lists on the command line show, in order. */
  readonly listed?: readonly string[];
}

/** Value of `shown` for a field that answers and the summary of a conversation contain. */
export const summarised = ['developer', 'tools', 'summary'] as const;
/** Value of `shown` for a field that is shown nowhere. */
export const hidden = [] as const;

/** Type of a field's value without null. */
export type ValueOf<F extends Field> = F extends { readonly values: readonly (infer Value)[] }
  ? Value
  : Values[F['type']];

type NullOf<F extends Field> = F extends { readonly nullable: true } ? null : never;
type ColumnOf<Name, F extends Field> = F extends { readonly column: infer Column extends string }
  ? Column
  : Name & string;
type Written<F extends Field> = F extends { readonly from: string } ? false : true;
type Read<F extends Field> = F extends { readonly from: 'service' } ? false : true;

/** Type of a record's row as a query reads it. */
export type RowOf<R extends RecordDeclaration> = {
  readonly [Name in keyof R['fields'] as Read<R['fields'][Name]> extends true
    ? ColumnOf<Name, R['fields'][Name]>
    : never]: ValueOf<R['fields'][Name]> | NullOf<R['fields'][Name]>;
};

/** Type of the columns that an insertion writes. */
export type NewRowOf<R extends RecordDeclaration> = {
  readonly [Name in keyof R['fields'] as Written<R['fields'][Name]> extends true
    ? ColumnOf<Name, R['fields'][Name]>
    : never]: ValueOf<R['fields'][Name]> | NullOf<R['fields'][Name]>;
};

/**
 * Type of the columns of a new row that get their value from the request or by default. A column that may be null also
 * has a default: null.
 */
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

/**
 * Type `null` for a field that a request may omit and that has no default. The service sets the value of such a field
 * later.
 */
type Missing<F extends Field> = F extends { readonly create: 'optional' | 'nullable' }
  ? F extends { readonly usual: unknown }
    ? never
    : null
  : never;

/** Type of a field's value in a request. Lists are readonly. */
type Given<F extends Field> = F['type'] extends 'text[]' ? readonly string[] : ValueOf<F>;

/** Type of a request that creates a record. */
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

/** Type of a request that changes a record. Absent fields stay unchanged. */
export type ChangeOf<R extends RecordDeclaration> = {
  readonly [Name in keyof R['fields'] as R['fields'][Name] extends { readonly change: string }
    ? Name
    : never]?:
    | Given<R['fields'][Name]>
    | (R['fields'][Name] extends { readonly change: 'nullable' } ? null : never)
    | undefined;
};

/** Type of the fields that tools accept to create or change a record. */
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

/** Type of a value in an answer. Timestamps are texts. */
type ShownValue<F extends Field> =
  | (F['type'] extends 'timestamptz' ? string : ValueOf<F>)
  | (F extends { readonly absent: string | number } ? never : NullOf<F>);

/** Type of a record as a surface shows it. */
export type ShownOf<R extends RecordDeclaration, S extends Surface = 'developer'> = {
  readonly [Name in keyof R['fields'] as ShownIn<R['fields'][Name], S> extends true
    ? Name
    : never]: ShownValue<R['fields'][Name]>;
};

/** Checks whether a surface shows a field. */
export const isShown = ({ shown }: Field, surface: Surface): boolean =>
  shown === undefined ? surface !== 'summary' : shown.includes(surface);

/** Returns the description of a tool's argument; undefined if the tools have no such argument. */
export const toolSentence = ({ tool }: Field, effect: 'create' | 'change'): string | undefined =>
  typeof tool === 'object' ? tool[effect] : tool;

/** Formats names as alternatives in a message. */
export const alternatives = (names: readonly string[]): string =>
  names.length < 3 ? names.join(' or ') : `${names.slice(0, -1).join(', ')}, or ${names.at(-1)}`;

/** Formats the changeable fields for a message. */
export const changesOf = (record: RecordDeclaration): string =>
  record.changes ??
  alternatives(fieldsOf(record, 'request').flatMap(([name, { change }]) => (change ? [name] : [])));

/** Returns the fields of a record with their names, in the order of answers or in a given order (`first`). */
export const fieldsOf = (
  { fields, first }: RecordDeclaration,
  order?: 'request' | 'tool' | 'option',
): readonly (readonly [name: string, field: Field])[] => {
  const ahead = (order && first?.[order]) ?? [];
  const names = [...ahead, ...Object.keys(fields).filter((name) => !ahead.includes(name))];
  return names.map((name) => [name, fields[name]!] as const);
};
