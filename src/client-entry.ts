import { z } from 'zod'
import type { ClientEntry } from './shell'

const manifestSchema = z.record(
  z.string(),
  z.object({ file: z.string(), css: z.array(z.string()).optional(), imports: z.array(z.string()).optional() }),
)
const CLIENT_ENTRY = 'client/main.tsx'
let cachedEntry: ClientEntry | undefined

/**
 * Names of the client's files. One build makes client and Worker, so the hashed names are read at run time from
 * the manifest through the assets binding, once per isolate.
 */
export async function readClientEntry(assets: Fetcher): Promise<ClientEntry> {
  if (import.meta.env.DEV) return { scripts: [`/${CLIENT_ENTRY}`], styles: [], preload: [], dev: true }
  if (cachedEntry) return cachedEntry
  const answer = await assets.fetch('http://assets.local/.vite/manifest.json')
  if (!answer.ok) throw new Error(`client manifest: ${answer.status}`)
  const manifest = manifestSchema.parse(await answer.json())
  const styles = new Set<string>()
  const preload = new Set<string>()
  const seen = new Set<string>()
  const walk = (key: string): void => {
    const chunk = manifest[key]
    if (!chunk || seen.has(key)) return
    seen.add(key)
    chunk.css?.forEach((file) => styles.add(`/${file}`))
    for (const name of chunk.imports ?? []) {
      const imported = manifest[name]
      if (imported) preload.add(`/${imported.file}`)
      walk(name)
    }
  }
  walk(CLIENT_ENTRY)
  const entry = manifest[CLIENT_ENTRY]
  if (!entry) throw new Error('client manifest: no entry')
  cachedEntry = { scripts: [`/${entry.file}`], styles: [...styles], preload: [...preload], dev: false }
  return cachedEntry
}
