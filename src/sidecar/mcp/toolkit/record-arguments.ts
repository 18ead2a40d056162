import type { z } from 'zod';
import type { GivenTime } from '../../../service/days/index.js';
import {
  type Field,
  fieldsOf,
  type RecordDeclaration,
  type ToolFields,
  toolSentence,
  type ValueOf,
} from '../../../wire/records/index.js';
import { integer, number } from '../../schemas/index.js';
import { choice, due, flag, flagOr, optionalText, text } from './arguments.js';

/** Arguments of tools that create or change a record, made from its declaration. */

type Effect = 'create' | 'change';

/** Returns the schema of an optional argument. */
const optional = ({ type, values, most }: Field, sentence: string): z.ZodType => {
  if (values) return choice(values as [string, ...string[]], sentence);
  switch (type) {
    case 'boolean':
      return flag(sentence);
    case 'timestamptz':
      return due(sentence);
    case 'integer':
      return integer.optional().meta({ description: sentence });
    case 'double precision':
      return number.optional().meta({ description: sentence });
    default:
      return optionalText(most!, sentence);
  }
};

const argument = (field: Field, effect: Effect, sentence: string): z.ZodType => {
  if (effect === 'create' && field.create === 'required') return text(field.most!, sentence);
  if (effect === 'create' && field.type === 'boolean') return flagOr(field.usual === true, sentence);
  return optional(field, sentence);
};

type ArgumentValue<F extends Field> = F extends { readonly type: 'timestamptz' } ? GivenTime : ValueOf<F>;
type Always<F extends Field, E extends Effect> = E extends 'create'
  ? F extends { readonly create: 'required' } | { readonly type: 'boolean' }
    ? true
    : false
  : false;

type ArgumentShape<R extends RecordDeclaration, E extends Effect> = {
  -readonly [Name in ToolFields<R, E>]: z.ZodType<
    ArgumentValue<R['fields'][Name]> | (Always<R['fields'][Name], E> extends true ? never : undefined)
  >;
};

/** Returns the arguments of a tool that creates or changes a record. @param own custom schemas by argument name. */
export const recordArguments = <R extends RecordDeclaration, E extends Effect>(
  record: R,
  effect: E,
  own: { readonly [Name in keyof R['fields']]?: (sentence: string) => z.ZodType } = {},
) =>
  Object.fromEntries(
    fieldsOf(record, 'tool').flatMap(([name, field]) => {
      const sentence = toolSentence(field, effect);
      return sentence === undefined
        ? []
        : [[name, own[name]?.(sentence) ?? argument(field, effect, sentence)]];
    }),
  ) as unknown as ArgumentShape<R, E>;
