import type { z } from 'zod'

/** The contract's schema as a form's check: the first sentence beside each field. */
export const formValidator =
  (schema: z.ZodType) =>
  (values: unknown): Record<string, string> => {
    const parsed = schema.safeParse(values)
    const errors: Record<string, string> = {}
    for (const issue of parsed.error?.issues ?? []) errors[issue.path.map(String).join('.')] ??= issue.message
    return errors
  }
