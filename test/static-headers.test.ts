import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** The lines of `public/_headers` as path → headers: what the platform gives the files that it serves past the Worker. */
function staticHeaders(): Map<string, Map<string, string>> {
  const rules = new Map<string, Map<string, string>>()
  let rule = new Map<string, string>()
  for (const line of readFileSync('public/_headers', 'utf8').split('\n')) {
    const header = /^\s+([\w-]+): (.+)$/.exec(line)
    if (header) rule.set((header[1] ?? '').toLowerCase(), header[2] ?? '')
    else if (line.startsWith('/')) rules.set(line, (rule = new Map()))
  }
  return rules
}

it('gives files of the build the headers of every other answer', () => {
  const server = readFileSync('src/http/security-headers.ts', 'utf8')
  const files = staticHeaders().get('/*')
  const said = [...server.matchAll(/'([A-Z][\w-]+)': '([^']+)'/g)].map(([, name = '', value = '']) => [name, value])
  expect(said.length).toBeGreaterThan(5)
  const missing = said.filter(([name = '', value]) => files?.get(name.toLowerCase()) !== value)
  expect(missing).toEqual([])
})

it('holds web workers to the files of the build, and strings away from their scripts', () => {
  const files = staticHeaders().get('/*')
  expect(files?.get('content-security-policy')?.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ])
  // A page that embeds nothing foreign starts only workers that say the same of themselves.
  expect(files?.get('cross-origin-embedder-policy')).toBe('require-corp')
})
