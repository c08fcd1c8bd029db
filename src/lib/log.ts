/**
 * One structured line. Values are JSON-encoded, so a line break in a name cannot forge a second line; values of failed
 * statements are left out.
 */
export function log(level: 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown> = {}): void {
  const line = JSON.stringify({ level, message, ...fields }, (_key, value: unknown) =>
    typeof value === 'string' ? withoutParameters(value) : value,
  )
  if (level === 'error') console.error(line)
  else console.info(line)
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What follows up to the calls of a stack. */
const PARAMETERS = /\b(params|parameters):(?:(?!\n {4}at )[^])*/g
const REFUSED_VALUE = /(not supported for value) '(?:(?!\n {4}at )[^])*/g

/** The text of an error without the values that its statement was given: they are people's. */
export const withoutParameters = (text: string): string =>
  text.replace(PARAMETERS, '$1: [removed]').replace(REFUSED_VALUE, '$1 [removed]')
