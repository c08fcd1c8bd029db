import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const stored = readFileSync('docs/licences.md', 'utf8')
/** Licences under which a closed product may be delivered as long as their texts are named. */
const ALLOWED =
  /^(MIT|MIT-0|ISC|0BSD|Apache-2\.0|BSD-2-Clause|BSD-3-Clause|OFL-1\.1|CC0-1\.0|Unlicense|\(?MIT OR [^)]+\)?|\(MIT AND Zlib\)|Zlib)$/

it('the list of licences is that of package-lock.json: `npm run docs` renews it', () => {
  const printed = spawnSync('node', ['scripts/licences.mjs', '--print'], { encoding: 'utf8' })
  expect(printed.stdout).toBe(stored)
})

it('nothing is delivered under a licence that nobody has looked at', () => {
  const rows = [...stored.matchAll(/^\| \[(.+?)\]\(.+?\) \| \S+ \| (.+?) \|$/gm)].map(
    ([, name = '', licence = '']) => ({ name, licence }),
  )
  const direct = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).dependencies)
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(direct))
  expect(rows.filter(({ licence }) => !ALLOWED.test(licence))).toEqual([])
})
