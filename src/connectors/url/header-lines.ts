const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** Of the connection itself, or set by us. */
const RESERVED = /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|proxy-.*|cf-.*|expect)$/i
const LINES_MAX = 20

/** Headers of a text of lines `Name: value`; `problem` says in words what is wrong with it. */
export function parseHeaderLines(text: string): { headers: Record<string, string>; problem: string | null } {
  const headers: Record<string, string> = {}
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  if (lines.length > LINES_MAX) return { headers, problem: `At most ${LINES_MAX} headers` }
  for (const [index, line] of lines.entries()) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).trim()
    const value = line.slice(colon + 1).trim()
    if (!NAME.test(name) || value === '') return { headers, problem: `Line ${index + 1} is not a header` }
    if (RESERVED.test(name)) return { headers, problem: `Header ${name} can’t be set` }
    headers[name.toLowerCase()] = value
  }
  return { headers, problem: null }
}
