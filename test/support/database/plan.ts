import type { Sql } from '../../../src/store/client/database.js';
import { type SendDirectly, sendsDirectly } from '../../../src/store/client/direct-statement.js';

type Callable = (strings: TemplateStringsArray, ...values: unknown[]) => Promise<unknown>;

/**
 * Runs `work` with a pool that also explains its statements.
 * @param part text that selects the statements to explain.
 * @returns the plans of those statements, in order.
 */
export const plansOf = async (
  sql: Sql,
  part: string,
  work: (sql: Sql) => Promise<unknown>,
): Promise<string[]> => {
  const plans: Promise<string>[] = [];
  const explain = (plan: Promise<unknown>): void => {
    plans.push(
      (plan as Promise<{ 'QUERY PLAN': string }[]>).then((rows) =>
        rows.map((row) => row['QUERY PLAN']).join('\n'),
      ),
    );
  };
  const watched = new Proxy(sql, {
    get(target, name) {
      if (name === sendsDirectly) {
        return (...[text, values, raw]: Parameters<SendDirectly>) => {
          const send = (target as Sql & { [sendsDirectly]: SendDirectly })[sendsDirectly];
          if (text.includes(part)) explain(send(`explain ${text}`, [...values], false));
          return send(text, values, raw);
        };
      }
      if (name !== 'unsafe') return Reflect.get(target, name) as unknown;
      return (...[text, values, options]: Parameters<Sql['unsafe']>) => {
        if (text.includes(part)) explain(target.unsafe(`explain ${text}`, values, options));
        return target.unsafe(text, values, options);
      };
    },
    apply: (target, _this, given) => {
      const [strings, ...values] = given as Parameters<Callable>;
      const call = target as unknown as Callable;
      if (
        Array.isArray(strings) &&
        'raw' in strings &&
        /^\s*(?:select|update|delete|with)\b/.test(strings[0]!)
      ) {
        if (!strings.join('').includes(part)) return call(strings, ...values);
        const explained = Object.assign([`explain ${strings[0]}`, ...strings.slice(1)], { raw: strings });
        explain(call(explained as unknown as TemplateStringsArray, ...values));
      }
      return call(strings, ...values);
    },
  });
  await work(watched);
  return Promise.all(plans);
};
