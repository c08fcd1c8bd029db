/**
 * Which code of the client travels in one file. Left alone, every set of screens that share a module makes a file of its
 * own: a report was two hundred of them, asked for six at a time. Here modules that the same few places need are one file.
 */

/** Where people begin; each loads all that it needs. */
const PLACES = {
  app: ['client/main.tsx'],
  outside: ['client/shared.tsx'],
  login: ['client/routes/login-route.tsx'],
  frame: ['client/routes/app-layout-route.tsx', 'client/routes/signed-in-parts.tsx'],
  report: ['client/routes/reports/report-route.tsx'],
} as const
type Place = keyof typeof PLACES
const NAMES: readonly Place[] = ['app', 'outside', 'login', 'frame', 'report']
/** Runs before all others and loads none of them. */
const FIRST = 'client/prepare.ts'

interface ModuleInfo {
  importedIds: readonly string[]
  dynamicImporters: readonly string[]
  isEntry: boolean
}
interface Chunking {
  getModuleInfo: (id: string) => ModuleInfo | null
}

/** These modules and all that is loaded with them. */
function closureOf(paths: readonly string[], root: string, chunking: Chunking): Set<string> {
  const found = new Set(paths.map((path) => `${root}/${path}`))
  for (const id of found) for (const imported of chunking.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}

/** Which places need a module: whoever is anywhere has the code of the app already, on pages of members that of the frame. */
function placesNeeding(root: string) {
  let known: { first: Set<string>; places: Map<Place, Set<string>> } | null = null
  return (id: string, chunking: Chunking): (Place | 'first')[] => {
    known ??= {
      first: closureOf([FIRST], root, chunking),
      places: new Map(NAMES.map((place) => [place, closureOf(PLACES[place], root, chunking)])),
    }
    const { first, places } = known
    const own = chunking.getModuleInfo(id)
    // What is loaded by its name keeps a file of its name. Libraries are reached through lists of all that they have, of
    // which nothing can be told: what is used of them goes with the module that uses it. Their styles are imported by name,
    // and lie in one file with ours: in another one they would come after ours and win.
    const isLibrary = id.includes('/node_modules/') && !id.endsWith('.css')
    if (!own || own.isEntry || own.dynamicImporters.length > 0 || isLibrary) return []
    if (first.has(id)) return ['first']
    const needed = NAMES.filter((place) => places.get(place)?.has(id))
    if (needed.includes('app')) return needed.filter((place) => place === 'app' || place === 'outside')
    return needed.includes('frame') ? needed.filter((place) => place !== 'report') : needed
  }
}

const PRIORITIES: readonly (readonly [Place | 'first', number])[] = [
  ['first', 40],
  ['app', 20],
  ['frame', 10],
]
const has = (set: readonly string[], name: string): boolean => set.includes(name)

/** The groups of the bundler. What most places need comes first, so that whatever it needs in turn is in it, too. */
export function chunkGroups(root: string) {
  const needing = placesNeeding(root)
  const sets = NAMES.reduce<Place[][]>((before, place) => [...before, ...before.map((set) => [...set, place])], [[]])
  return [...sets, ['first' as const]]
    .map((set) => ({ set, name: set.join('-') }))
    .filter(({ set }) => set.length > 0)
    .map(({ set, name: own }) => ({
      name: (id: string, chunking: Chunking): string | null => (needing(id, chunking).join('-') === own ? own : null),
      priority: set.length + PRIORITIES.reduce((sum, [name, more]) => sum + (has(set, name) ? more : 0), 0),
    }))
}
