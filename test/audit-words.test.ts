import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { AUDIT_ACTIONS, AUDIT_FILTERS } from '../src/shared/audit'

const lines = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('audit-words.ts'))
  .map((name) => readFileSync(join('src', name), 'utf8').split('\n'))
/** Names of actions; names of files look like them. */
const literals = (line: string): string[] =>
  [...line.matchAll(/'([a-zA-Z_]+(?:\.[a-zA-Z_]+)+)'/g)]
    .map((found) => found[1] ?? '')
    .filter((text) => !/\.(json|csv|zip|txt|md|html)$/.test(text))

/** Literals beside the word `action` or a call that makes an entry; a call may go on in the next line. */
const named = lines.flatMap((file) =>
  file.flatMap((line, i) => {
    const beside = /\baction\b|\baudit\w*\(|\brecorded\(/i.test(line)
    return beside ? literals(`${line} ${file[i + 1] ?? ''}`) : []
  }),
)
const kinds = new Set([...named, ...AUDIT_ACTIONS].map((action) => action.split('.')[0]))
const actions = new Set(lines.flatMap((file) => file.flatMap(literals)).filter((text) => kinds.has(text.split('.')[0])))
/** Actions that end in a variable: what they begin with. */
const begun = lines.flatMap((file) =>
  file.flatMap((line) => [...line.matchAll(/action: `([a-z_]+\.)\$\{/g)].map((found) => found[1] ?? '')),
)

it('finds the actions of the code at all', () => {
  expect(actions.size).toBeGreaterThan(20)
})

it('has words for every action that the code writes into the audit log', () => {
  expect([...actions].filter((action) => !AUDIT_ACTIONS.includes(action)).toSorted()).toEqual([])
  expect(begun.filter((start) => !AUDIT_ACTIONS.some((action) => action.startsWith(start)))).toEqual([])
})

it('has words for nothing that no code writes', () => {
  const written = (action: string): boolean => actions.has(action) || begun.some((start) => action.startsWith(start))
  expect(AUDIT_ACTIONS.filter((action) => !written(action))).toEqual([])
})

it('offers only kinds of action that there are', () => {
  expect(AUDIT_FILTERS.filter(({ prefix }) => !AUDIT_ACTIONS.some((action) => action.startsWith(prefix)))).toEqual([])
})
