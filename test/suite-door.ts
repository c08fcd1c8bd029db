import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, normalize, resolve } from 'node:path'

/** Folders of foreign files lie beside the project, or nowhere: somebody who clones it does not have them. */
const SUITE_ROOT = resolve(import.meta.dirname, '../../shared/data')
const SUITE_KINDS = ['csv', 'xlsx', 'json', 'parquet', 'sie', 'business', 'findings', 'nlq', 'nlq-business'] as const
/** Kinds that ask other things of another kind's folder. */
const SHARED_FOLDERS: Partial<Record<string, string>> = { 'nlq-business': 'business' }
/** The project's own golden questions to the bot; asked once a run, by a test of their own. */
const OWN_FOLDER = resolve(import.meta.dirname, 'fixtures/nlq')
const OWN_KIND = 'golden'

/** Where each kind's files lie for this run: one folder when `npm run suite` says so, else every default that exists. */
export function suiteFolders(): Record<string, string> {
  const kind = process.env['SUITE_KIND']
  const folder = process.env['SUITE_DIR']
  if (kind && folder) return { [OWN_KIND]: OWN_FOLDER, [kind]: resolve(folder) }
  const folders: Record<string, string> = { [OWN_KIND]: OWN_FOLDER }
  for (const name of SUITE_KINDS) {
    const at = join(SUITE_ROOT, SHARED_FOLDERS[name] ?? name)
    if (existsSync(at)) folders[name] = at
  }
  return folders
}

/** The Worker process under this one that works hardest: `workerd` with the tests in it. Null where /proc is not. */
function workerMemory(): { id: string; now: number; peak: number } | null {
  if (!existsSync('/proc/self/status')) return null
  const field = (text: string, name: string): string => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(text)?.[1] ?? ''
  const parents = new Map<string, { parent: string; name: string; now: number; peak: number }>()
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const text = readFileSync(`/proc/${id}/status`, 'utf8')
      const kib = (name: string): number => Number(field(text, name)) * 1024
      parents.set(id, {
        parent: field(text, 'PPid'),
        name: field(text, 'Name'),
        now: kib('VmRSS'),
        peak: kib('VmHWM'),
      })
    } catch {
      // A process that ended meanwhile.
    }
  }
  const isOurs = (id: string): boolean => {
    for (let at: string | undefined = id; at !== undefined && at !== '0'; at = parents.get(at)?.parent)
      if (at === String(process.pid)) return true
    return false
  }
  const ours = [...parents].filter(([id, { name }]) => name === 'workerd' && isOurs(id))
  const [largest] = ours.sort(([, a], [, b]) => b.now - a.now)
  return largest ? { id: largest[0], now: largest[1].now, peak: largest[1].peak } : null
}

/** Clock and memory as the system sees them; a Worker's own clock stands still while it computes. */
function measure(fresh: boolean): { ms: number; memory: { now: number; peak: number } | null } {
  let memory = workerMemory()
  if (fresh && memory) {
    try {
      // Lets the kernel count the peak from here on.
      writeFileSync(`/proc/${memory.id}/clear_refs`, '5')
      memory = workerMemory()
    } catch {
      // Not permitted everywhere: the peak is then that of the whole run.
    }
  }
  return { ms: performance.now(), memory: memory && { now: memory.now, peak: memory.peak } }
}

/** Answers the suites in the Worker: files of a kind's folder, clock and memory, and takes their report. */
export async function suiteDoor(request: Request): Promise<Response> {
  const url = new URL(request.url)
  const [, what = '', kind = '', ...rest] = url.pathname.split('/').map(decodeURIComponent)
  if (what === 'clock') return Response.json(performance.now())
  if (what === 'measure') return Response.json(measure(kind === 'fresh'))
  if (what === 'report') {
    const target = process.env['SUITE_REPORT']
    if (target) writeFileSync(target, await request.text())
    return new Response(null, { status: 204 })
  }
  const folder = suiteFolders()[kind]
  const path = normalize(rest.join('/') || '.')
  if (folder === undefined || path.startsWith('..')) return new Response(null, { status: 404 })
  const at = join(folder, path)
  if (!existsSync(at)) return new Response(null, { status: 404 })
  if (!statSync(at).isDirectory()) return new Response(readFileSync(at))
  return Response.json(readdirSync(at).sort())
}
