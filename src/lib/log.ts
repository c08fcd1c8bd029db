/** One structured line. Values are JSON-encoded, so a line break in a name cannot forge a second line. */
export function log(level: 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown> = {}): void {
  const line = JSON.stringify({ level, message, ...fields })
  if (level === 'error') console.error(line)
  else console.info(line)
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))
