// A step is skipped when the content of what it reads has not changed since it last succeeded.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = '.stamps'

function filesOf(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true })
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile())
    .sort()
}

function hashOf(sources) {
  const hash = createHash('sha256')
  for (const file of sources.flatMap(filesOf)) hash.update(file).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

/** True when `sources` are as they were at the last stamp and every output still exists. */
export function isFresh(name, sources, outputs) {
  const file = join(FOLDER, name)
  return outputs.every((path) => existsSync(path)) && existsSync(file) && readFileSync(file, 'utf8') === hashOf(sources)
}

export function stamp(name, sources) {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, name), hashOf(sources))
}
