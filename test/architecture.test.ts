import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOMS = ['src', 'client']
const isCode = (path: string): boolean => /\.tsx?$/.test(path) && !path.endsWith('.d.ts')
const isSource = (path: string): boolean => /\.(tsx?|css)$/.test(path)
/** Tests, and the fixtures beside them. */
const isTest = (path: string): boolean => /\.(test|fixture)\.tsx?$/.test(path)
const list = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name).replaceAll('\\', '/'))

interface Source {
  path: string
  text: string
  imports: string[]
}
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'"]*?from\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g

/** Import targets; relative ones as paths from the root. */
function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].map((found) => {
    const target = found[1] ?? found[2] ?? found[3] ?? ''
    return target.startsWith('.') ? normalize(join(dirname(path), target)).replaceAll('\\', '/') : target
  })
}

const files: Source[] = ROOMS.flatMap(list)
  .filter(isCode)
  .map((path) => {
    const text = readFileSync(path, 'utf8')
    return { path, text, imports: importsOf(path, text) }
  })
const product = files.filter(({ path }) => !isTest(path))

const withoutComments = (text: string): string => text.replaceAll(/\/\*[^]*?\*\/|(?<!:)\/\/.*$/gm, '')

/** Offences as `path: why`, so that a failure names each. */
const crossing = (
  from: RegExp,
  to: RegExp,
  except: (source: Source, target: string) => boolean = () => false,
): string[] =>
  product.flatMap((source) =>
    from.test(source.path)
      ? source.imports
          .filter((target) => to.test(target) && !except(source, target))
          .map((target) => `${source.path}: ${target}`)
      : [],
  )
const matching = (pattern: RegExp, allowed: (path: string) => boolean): string[] =>
  product.flatMap(({ path, text }) => (!allowed(path) && pattern.test(text) ? [path] : []))

const isPreview = (path: string): boolean =>
  path === 'client/lib/forecast-engines.ts' || /^client\/features\/forecasts\/form\/[^/]*worker\.ts$/.test(path)
const isModel = (target: string): boolean =>
  target.startsWith('src/forecasting/') && target !== 'src/forecasting/engines/worker-engines'

describe('who may import whom', () => {
  it('keeps the contract pure: zod, the calendar library, the linear-time expressions and itself', () => {
    expect(
      crossing(/^src\/shared\//, /./, (_s, target) => /^(src\/shared\/|zod$|temporal-polyfill$|re2js$)/.test(target)),
    ).toEqual([])
  })

  it('lets the client see of the server only the contract and the type of the app', () => {
    const typeOnly = (source: Source, target: string): boolean =>
      target.startsWith('src/shared/') ||
      // The model of forecasts answers previews in a web worker of the browser; what is of the Worker stays out.
      (isPreview(source.path) && isModel(target)) ||
      (target === 'src/app' && /import type \{ AppType \}/.test(source.text))
    expect(crossing(/^client\//, /^src\//, typeOnly)).toEqual([])
  })

  it('keeps the model of forecasts to itself, and its use to the feature, its preview and its engines', () => {
    expect(
      crossing(/^src\/forecasting\//, /./, (_s, target) =>
        /^(src\/forecasting\/|src\/shared\/|@bsull\/augurs\/|#augurs\/)/.test(target),
      ),
    ).toEqual([])
    const users = /^(src\/(forecasting|features\/forecasts)\/|client\/)/
    expect(crossing(/./, /^src\/forecasting\//, ({ path }) => users.test(path))).toEqual([])
    // Seasons, bands and folds do not know which platform runs them.
    const loaders = ({ path }: Source): boolean => path.startsWith('src/forecasting/engines/')
    expect(crossing(/^src\/forecasting\//, /^(@bsull\/augurs|#augurs)\//, loaders)).toEqual([])
  })

  it('keeps the server away from the client', () => {
    expect(crossing(/^src\//, /^client\//)).toEqual([])
  })

  it('lets no feature import another', () => {
    const own = ({ path }: Source, target: string): boolean =>
      target.startsWith(path.split('/').slice(0, 3).join('/') + '/')
    expect(crossing(/^src\/features\//, /^src\/features\//, own)).toEqual([])
    expect(crossing(/^client\/features\//, /^client\/(features|routes)\//, own)).toEqual([])
  })

  it('keeps the design system free of product nouns and the client library free of features', () => {
    expect(crossing(/^client\/ui\//, /^client\/(features|routes)\//)).toEqual([])
    expect(crossing(/^client\/lib\//, /^client\/(features|routes)\//)).toEqual([])
  })

  it('lets no product code import fixtures or what tests are made with', () => {
    const isOfTests = ({ path }: Source): boolean => path.startsWith('client/test/')
    expect(crossing(/./, /\.(test|fixture)$|^client\/test\//, isOfTests)).toEqual([])
  })

  it('points down only: no room of the server imports one above it', () => {
    const FLOORS =
      'lib shared scope db secrets entitlements sample formats forecasting outbound settings connectors monitoring mail identity warehouse live bindings deps sync semantic shell http features flows app worker'
    const floors = FLOORS.split(' ')
    const floorOf = (path: string): number => floors.indexOf(path.split('/')[1]?.replace(/\.tsx?$/, '') ?? '')
    const above = ({ path }: Source, target: string): boolean => floorOf(target) <= floorOf(path)
    expect(crossing(/^src\//, /^src\//, above)).toEqual([])
    expect(product.filter(({ path }) => /^src\//.test(path) && floorOf(path) < 0).map(({ path }) => path)).toEqual([])
  })

  it('lets the books of the sample company know nothing but themselves', () => {
    expect(crossing(/^src\/sample\//, /./, (_s, target) => target.startsWith('src/sample/'))).toEqual([])
  })

  it('has no circle of imports, those of types included', () => {
    const byPath = new Map(product.map((source) => [source.path, source]))
    const resolve = (target: string): string | undefined =>
      [`${target}.ts`, `${target}.tsx`, target].find((path) => byPath.has(path))
    const done = new Set<string>()
    const circles: string[] = []
    const visit = (path: string, trail: string[]): void => {
      if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
      if (done.has(path) || trail.includes(path)) return
      for (const target of byPath.get(path)?.imports ?? []) {
        const next = resolve(target)
        if (next) visit(next, [...trail, path])
      }
      done.add(path)
    }
    product.forEach(({ path }) => visit(path, []))
    expect(circles).toEqual([])
  })
})

describe('one home for each dangerous thing', () => {
  it('asks D1 only in stores', () => {
    // Whether the database is there at all is no store's question.
    const isStore = (path: string): boolean =>
      /^src\/db\/|\/([^/]+-)?store\.ts$/.test(path) || /^src\/entitlements\//.test(path)
    expect(matching(/\bd1\b[^;]{0,20}\.prepare\(|\bprepare\(\s*[`'"]/, isStore)).toEqual([])
  })

  it('touches SQLite of objects only in the warehouse, the live objects and the inbox of pushed rows', () => {
    const objects = (path: string): boolean =>
      /^src\/(warehouse|live)\//.test(path) || path === 'src/flows/connections/push-inbox-object.ts'
    expect(matching(/\bstorage\.sql\b/, objects)).toEqual([])
  })

  it('reads bindings only where dependencies are built', () => {
    expect(
      matching(
        /\benv\.(DB|WAREHOUSE|SESSIONS|FILES|RATE_LIMITER|PUSH_INBOX|WORKSPACE_HUB|LOAD_FILE|LOAD_SAMPLE|FOLLOW_UP|FORECAST_RUN|SYNC_SOURCE)\b/,
        (path) => path === 'src/deps.ts',
      ),
    ).toEqual([])
  })

  it('calls the network only through a door', () => {
    const doors = (path: string): boolean =>
      /^src\/outbound\//.test(path) ||
      ['client/lib/api.ts', 'client/lib/send-bytes.ts', 'client/lib/live-socket.ts'].includes(path)
    const bare =
      /(?<![.\w])fetch\(|\bnew (XMLHttpRequest|WebSocket|EventSource)\(|\.sendBeacon\(|from 'cloudflare:sockets'/
    // Both answer calls by a method of that name.
    // Push snippets are code for others.
    const called = [
      'client/features/connections/push-snippets.tsx',
      'src/worker.ts',
      'src/live/socket-grant.ts',
      'src/flows/workspace-hub-object.ts',
    ]
    expect(matching(bare, (path) => doors(path) || called.includes(path))).toEqual([])
  })

  it('imports toucan-js in exactly one file', () => {
    expect(product.filter(({ imports }) => imports.includes('toucan-js')).map(({ path }) => path)).toEqual([
      'src/monitoring/reporter.ts',
    ])
  })

  it('takes clock and randomness as parameters in domain code', () => {
    const domain = /^src\/(shared|sample|formats|forecasting|connectors|warehouse\/query|features\/[^/]+\/model)\//
    const impure = /\bDate\.now\(|\bMath\.random\(|\bnew Date\(\)|crypto\.(randomUUID|getRandomValues)/
    expect(
      product.flatMap(({ path, text }) => (domain.test(path) && impure.test(withoutComments(text)) ? [path] : [])),
    ).toEqual([])
  })

  it('opens dialogs and drawers in the way that gives the focus back', () => {
    const own = (path: string): boolean => path === 'client/ui/dialog.tsx'
    expect(matching(/import \{[^}]*\b(Modal|Drawer)\b[^}]*\} from '@mantine\/core'/, own)).toEqual([])
    expect(matching(/\bopenConfirmModal\(/, (path) => path === 'client/ui/forms/confirm-dialog.tsx')).toEqual([])
  })

  it('sets HTML by hand only in the page shell', () => {
    expect(matching(/dangerouslySetInnerHTML|\.innerHTML\b/, (path) => path === 'src/shell.tsx')).toEqual([])
  })
})

describe('form', () => {
  it('stops at 400 lines a file, 700 for tests', () => {
    const long = files.flatMap(({ path, text }) => {
      const lines = text.split('\n').length - 1
      return lines > (isTest(path) ? 700 : 400) ? [`${path}: ${lines}`] : []
    })
    expect(long).toEqual([])
  })

  it('holds at most 40 files in a folder', () => {
    const counts = Map.groupBy(ROOMS.concat('test', 'emulators').flatMap(list).filter(isSource), dirname)
    expect([...counts].flatMap(([folder, { length }]) => (length > 40 ? [`${folder}: ${length}`] : []))).toEqual([])
  })

  it('declares no type that the glossary replaced', () => {
    // One meaning each, readable without its file: docs/glossary.md has what they are called now.
    const replaced =
      'Ask|Asking|Asked|Looking|Looked|Reading|Standing|Holder|Entering|Signed|Tracked|Room|World|Means|Leaf|Pace|Needs|Halt|Begun|Follower|Beginning|Told|Kept|Along|Said|Made|Found|Followed|Turn|' +
      'Added|Chosen|Computed|Counted|Editing|Ended|Exempted|Fitted|Guarded|Having|Inspected|Loaded|Mentioning|Opened|Pacing|' +
      'Picking|Placed|Refused|Shown|Stored|Unplaced|Unnamed|Versioned|Written|SignInWay|ConnectionGrant'
    const declared = new RegExp(String.raw`^(export )?(interface|type|class) (${replaced})\b`, 'm')
    const tests = list('test').concat(list('emulators')).filter(isCode)
    const all = [...files, ...tests.map((path) => ({ path, text: readFileSync(path, 'utf8') }))]
    expect(all.flatMap(({ path, text }) => declared.exec(text)?.[0].concat(` in ${path}`) ?? [])).toEqual([])
  })

  it('has no drawer without a subject and no barrel', () => {
    expect(files.filter(({ path }) => /(^|\/)(utils?|helpers?|misc|common|manager)(\/|\.tsx?$)/i.test(path))).toEqual(
      [],
    )
    expect(files.filter(({ path }) => /\/index\.tsx?$/.test(path)).map(({ path }) => path)).toEqual([])
  })

  it('leaves no open end', () => {
    const open = /\bTODO\b|\bFIXME\b|@ts-ignore|@ts-expect-error|eslint-disable|oxlint-disable|console\.log\(/
    const left = files.flatMap(({ path, text }) => (open.test(text) ? [path] : []))
    expect(left).toEqual([])
  })

  it('runs no test alone and skips none by hand', () => {
    const tests = [
      ...files.filter(({ path }) => isTest(path)),
      ...list('test')
        .filter(isTest)
        .map((path) => ({ path, text: readFileSync(path, 'utf8') })),
    ]
    const alone = new RegExp(String.raw`\b(it|describe|test)\.` + '(only|skip|todo)' + String.raw`\(`)
    expect(tests.flatMap(({ path, text }) => (alone.test(text) ? [relative('.', path)] : []))).toEqual([])
  })

  it('names only hosts of the project in its lockfile', () => {
    expect(readFileSync('package-lock.json', 'utf8')).not.toMatch(/"resolved"/)
  })
})
