import { z } from 'zod'
import type { McpContext } from './context'
import type { TokenScope } from '../../shared/programs/access-tokens'
import { requiredPlan, type GateName } from '../../shared/billing/plans'
import { ProductError } from '../../shared/errors'
import { roleMay, type Permission } from '../../shared/permissions'

interface ToolTerms {
  name: string
  title: string
  /** What a model is told of it. */
  description: string
  scope: TokenScope
  permission: Permission
  /** What the plan must have. */
  gate?: GateName
}

/** Something that a program can have done, by the same rights and plan as on screen. */
export interface McpTool extends ToolTerms {
  /** JSON Schema of what it takes. */
  inputSchema: Record<string, unknown>
  /** @throws ProductError `invalid_input` and whatever the use case is refused for */
  run(context: McpContext, input: unknown): Promise<Record<string, unknown>>
}

/**
 * @param described what programs are told of the input, where the schema itself would be too long to tell
 */
export function defineTool<S extends z.ZodObject>(
  terms: ToolTerms,
  schema: S,
  run: (context: McpContext, input: z.output<S>) => Promise<Record<string, unknown>>,
  described: z.ZodType = schema,
): McpTool {
  return {
    ...terms,
    inputSchema: { ...z.toJSONSchema(described, { io: 'input', unrepresentable: 'any' }) },
    run: async (context, input) => {
      assertAllowed(context, terms)
      return run(context, parseInput(schema, input))
    },
  }
}

/** @throws ProductError `forbidden`, `plan_required` */
export function assertAllowed(
  { membership }: Pick<McpContext, 'membership'>,
  { permission, gate }: Pick<ToolTerms, 'permission' | 'gate'>,
): void {
  if (!roleMay(membership.role, permission)) throw new ProductError('forbidden', { permission })
  if (gate !== undefined && !membership.entitlements.features[gate])
    throw new ProductError('plan_required', { feature: gate, requiredPlan: requiredPlan(gate) })
}

function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input ?? {})
  if (parsed.success) return parsed.data
  const fields = new Map<string, string>()
  for (const { path, message } of parsed.error.issues) {
    const name = path.map(String).join('.').slice(0, 200)
    if (!fields.has(name)) fields.set(name, message)
  }
  throw new ProductError('invalid_input', { fields: Object.fromEntries(fields) }, 'Check the input.')
}
