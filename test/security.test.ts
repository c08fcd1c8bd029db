import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

/** Number of the requirement → level, of ASVS 5.0.0: all of levels 1 and 2. */
const requirements = z.record(z.string(), z.number()).parse(JSON.parse(readFileSync('test/asvs-5.0.json', 'utf8')))
const page = readFileSync('docs/security.md', 'utf8')

const OUTCOMES = ['Tested', 'In code', 'Documented', 'Operator', 'Not applicable', 'Not met']
const LINE = /^- \*\*(\d+\.\d+\.\d+)\*\* \(L(\d)\) ([^.]+)\. _([A-Z][a-z ]+):_ (.+)\.$/
const lines = page
  .split('\n')
  .filter((line) => line.startsWith('- **'))
  .map((line) => {
    const [, id = line, level = '', subject = '', outcome = '', evidence = ''] = LINE.exec(line) ?? []
    return { id, level: Number(level), subject, outcome, evidence }
  })

/** A file as evidence names it, with the titles of its tests behind it. */
const NAMED = /`([\w./-]+\.(?:tsx?|mjs|md|json|toml))`((?:: )?(?:“[^”]+”(?:, )?)*)/g
const named = [...page.matchAll(NAMED)].map(([, file = '', titles = '']) => ({
  file,
  titles: [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title),
}))
const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')

describe('docs/security.md', () => {
  it('has every requirement of levels 1 and 2 once, in order, with its level', () => {
    expect(Object.keys(requirements)).toHaveLength(253)
    expect(lines.map(({ id, level }) => [id, level])).toEqual(Object.entries(requirements))
  })

  it('says of each in a few words what it is about and what became of it', () => {
    const odd = lines.filter(
      ({ subject, outcome }) => !OUTCOMES.includes(outcome) || subject.split(' ').length < 2 || subject.length > 60,
    )
    expect(odd).toEqual([])
  })

  it('names a test, a place or a reason for each', () => {
    const bare = lines.filter(({ outcome, evidence }) => {
      if (outcome === 'Tested') return !/\.test\.tsx?`: “/.test(evidence)
      if (outcome === 'In code') return !/`[\w./-]+\.\w+`/.test(evidence)
      return evidence.length < 4
    })
    expect(bare).toEqual([])
  })

  it('names only files and tests that exist', () => {
    expect(named.length).toBeGreaterThan(150)
    expect(named.filter(({ file }) => !existsSync(file)).map(({ file }) => file)).toEqual([])
    const missing = named.flatMap(({ file, titles }) =>
      titles.filter((title) => !textOf(file).includes(title)).map((title) => `${file}: ${title}`),
    )
    expect(missing).toEqual([])
    // A title that stands beside no file would be held by nothing.
    const held = named.reduce((sum, { titles }) => sum + titles.length, 0)
    expect(held).toBe([...page.matchAll(/“[^”]+”/g)].length)
  })

  it('names a test for each attack on whose data it is', () => {
    const numbered = (kind: string, count: number): string[] =>
      Array.from({ length: count }, (_, n) => `${kind}-${n + 1}`)
    const attacks = [...numbered('RLS', 8), ...numbered('IDOR', 7), 'CACHE-1']
    const rows = [...page.matchAll(/^\| ((?:RLS|IDOR|CACHE)-\d+) +\|.*$/gm)]
    expect(rows.map(([, id]) => id)).toEqual(attacks)
    const programs = [...page.matchAll(/^\| ((?:AI|CONN)-\d+) +\|.*$/gm)]
    expect(programs.map(([, id]) => id)).toEqual([...numbered('AI', 3), ...numbered('CONN', 5)])
    const kept = [...page.matchAll(/^\| (STO-\d+) +\|.*$/gm)]
    expect(kept.map(([, id]) => id)).toEqual(numbered('STO', 5))
    const bare = [...rows, ...programs, ...kept].filter(([row]) => !/\.test\.ts`: “/.test(row))
    expect(bare.map(([, id]) => id)).toEqual([])
  })

  it('lists at the top what is not met, and counts itself rightly', () => {
    const count = (outcome: string): number => lines.filter((line) => line.outcome === outcome).length
    const notMet = lines.filter(({ outcome }) => outcome === 'Not met').map(({ id }) => id)
    const table = page.slice(page.indexOf('## Not met'), page.indexOf('## The controls'))
    const listed = [...table.matchAll(/\d+\.\d+\.\d+/g)].map(([id]) => id)
    expect(listed.toSorted()).toEqual(notMet.toSorted())
    expect(page).toContain(
      `253 requirements: ${count('Tested')} held by a test, ${count('In code')} in the code, ` +
        `${count('Documented')} documented, ${count('Operator')} with the operator’s account, ` +
        `${count('Not applicable')} not applicable, **${count('Not met')} not met**.`,
    )
  })
})
