import type { Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { type ZodObject, z } from 'zod';
import type { McpScope } from '../../../identity/index.js';
import type { RouteContext } from '../../frame/index.js';
import type { Policy } from '../../limits/index.js';

/** The effect of a tool on its user's data. */
type Effect = 'read' | 'add' | 'add once' | 'replace' | 'change' | 'delete';

/** The input of a tool call. */
export interface ToolCall<Arguments> {
  readonly uid: string;
  /** Scopes of the credential. */
  readonly scopes: readonly string[];
  readonly given: Arguments;
}

interface ToolHead {
  readonly name: string;
  readonly title: string;
  /** Description for a model, which chooses tools by it. */
  readonly description: string;
  /** The credential must have at least one of these scopes. */
  readonly scopes: readonly [McpScope, ...McpScope[]];
  readonly effect: Effect;
  /**
   * Additional rate limits of the user for calls of this tool. Every message also counts against the policy
   * `mcp:sse`.
   */
  readonly limits?: readonly Policy[];
}

/** A declared tool. Its schemas, its entry in the tool list and its checks are made from this declaration. */
export interface Tool extends ToolHead {
  readonly input: ZodObject;
  readonly output: z.ZodType;
  // biome-ignore lint/suspicious/noExplicitAny: `tool` has checked the function against the schema
  readonly call: (call: ToolCall<any>) => Promise<object>;
}

/** Declares a tool. @param declared `call` returns plain JSON values in the form of `output`. */
export const tool = <Input extends ZodObject>(
  declared: ToolHead & {
    readonly input: Input;
    readonly output: z.ZodType;
    readonly call: (call: ToolCall<z.output<Input>>) => Promise<object>;
  },
): Tool => declared as unknown as Tool;

/** The dependencies of tools. */
export type ToolContext = Pick<RouteContext, 'sql' | 'settings' | 'search'>;

/** Creates the tools of a group with their dependencies. */
export type ToolGroup = (context: ToolContext) => readonly Tool[];

const annotationsOf: Readonly<Record<Effect, ToolAnnotations>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  add: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  'add once': { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  replace: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  change: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

type JsonSchema = ListedTool['inputSchema'];

/**
 * Returns the JSON schema of a schema's input or output. Schemas of `fields.ts` carry a description of their input.
 */
const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: part }) => {
      const { override } = part as { override?: object };
      delete (part as { override?: object }).override;
      delete (part as { id?: string }).id;
      if (override) Object.assign(part, override);
    },
    reused: 'inline',
  });
  const { $schema, ...rest } = made as Record<string, unknown>;
  return rest as JsonSchema;
};

/** Returns a tool in the form of `tools/list`. @param structured whether the client supports titles and output schemas. */
export const listed = (declared: Tool, structured: boolean): ListedTool => {
  const { name, title, description, scopes, effect, input, output } = declared;
  return {
    name,
    ...(structured && { title }),
    description,
    inputSchema: jsonSchema(input, 'input'),
    ...(structured && { outputSchema: jsonSchema(output, 'output') }),
    annotations: annotationsOf[effect],
    // Not part of the protocol. A platform for assistants requests the scopes that this field names.
    securitySchemes: [{ type: 'oauth2', scopes: [...scopes] }],
  } as ListedTool;
};

/** Whether the caller's credential also has this scope, so that the answer may include data that needs the scope. */
export const alsoOpens = ({ scopes }: Pick<ToolCall<unknown>, 'scopes'>, scope: McpScope): boolean =>
  scopes.includes(scope);

/** Whether a credential's scopes allow a tool. */
export const allows = (scopes: readonly string[], { scopes: needed }: Pick<Tool, 'scopes'>): boolean =>
  needed.some((scope) => scopes.includes(scope));
