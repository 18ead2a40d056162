import type { ZodObject } from 'zod';
import { idPath, success, successAnswer } from '../schemas/index.js';
import { type Parsed, type Route, type RouteHead, type RouteInput, route } from './route.js';

/** Declares a route that deletes the record with the path's `id`. The answer has the field `success`. */
export const deletion = <Query extends ZodObject | undefined = undefined>({
  remove,
  ...declared
}: Omit<RouteHead, 'method' | 'example'> & {
  readonly query?: Query;
  readonly remove: (
    input: RouteInput<Parsed<typeof idPath>, Parsed<Query>, undefined, undefined>,
  ) => Promise<void>;
}): Route =>
  route({
    ...declared,
    method: 'DELETE',
    path: idPath,
    answer: successAnswer,
    example: { answer: success },
    handle: async (input: RouteInput<Parsed<typeof idPath>, Parsed<Query>, undefined, undefined>) => {
      await remove(input);
      return success;
    },
  });
