import { z } from 'zod'
import type { PageData } from './shared/session'

export interface ClientEntry {
  scripts: string[]
  styles: string[]
  preload: string[]
  /** Style sheets that are needed soon, and not for the first paint. */
  preloadedStyles: string[]
  dev: boolean
}
declare module '@hono/react-renderer' {
  interface Props {
    title: string
    data: PageData
    nonce: string
    entry: ClientEntry
  }
}

/** JSON for a script element: an escaped `<` keeps `</script>` and `<!--` inside strings harmless. */
const scriptSafeJson = (value: unknown): string => JSON.stringify(value).replace(/</g, '\\u003c')

/** Fast refresh needs this before the first module; an index.html would carry it. Development only. */
const REFRESH_PREAMBLE =
  'import { injectIntoGlobalHook } from "/@react-refresh";injectIntoGlobalHook(window);window.$RefreshReg$=()=>{};window.$RefreshSig$=()=>(t)=>t;'

const LINES = ['w2', 'w3', 'w1', 'w3', 'w2', 'w1'] as const
const Lines = ({ className }: { className: string }) => (
  <div className={className} aria-hidden="true">
    {LINES.map((width, at) => (
      <span key={at} className={width} />
    ))}
  </div>
)

/** What is on screen until the client's code is here, of the measures of what takes its place, so that nothing jumps. */
const FirstPaint = ({ isMember }: { isMember: boolean }) => (
  <div className={isMember ? 'first-paint first-paint-member' : 'first-paint'}>
    {isMember && (
      <nav aria-label="Navigation">
        <Lines className="first-paint-links" />
      </nav>
    )}
    {isMember && (
      <header>
        <span className="w1" aria-hidden="true" />
      </header>
    )}
    <main aria-busy="true">
      <p role="status" className="only-reader">
        Loading
      </p>
      {isMember && <Lines className="first-paint-rows" />}
    </main>
  </div>
)

/** The HTML document. The page data is a JSON block, which a content security policy does not execute. */
export function Shell({
  title,
  data,
  nonce,
  entry,
}: {
  title: string
  data: PageData
  nonce: string
  entry: ClientEntry
}) {
  const scheme = data.theme === 'system' ? undefined : data.theme
  return (
    <html lang="en" data-mantine-color-scheme={scheme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <meta property="csp-nonce" nonce={nonce} />
        {entry.styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} precedence="default" />
        ))}
        {entry.preload.map((href) => (
          <link key={href} rel="modulepreload" href={href} nonce={nonce} />
        ))}
        {entry.preloadedStyles.map((href) => (
          <link key={href} rel="preload" as="style" href={href} />
        ))}
        {entry.dev && <script type="module" nonce={nonce} dangerouslySetInnerHTML={{ __html: REFRESH_PREAMBLE }} />}
        {entry.dev && <script type="module" nonce={nonce} src="/@vite/client" />}
        <script type="application/json" id="page-data" dangerouslySetInnerHTML={{ __html: scriptSafeJson(data) }} />
        {entry.scripts.map((src) => (
          <script key={src} type="module" nonce={nonce} src={src} />
        ))}
      </head>
      <body>
        <div id="root">
          <FirstPaint isMember={data.user !== null && data.workspace !== null} />
        </div>
      </body>
    </html>
  )
}

const manifestSchema = z.record(
  z.string(),
  z.object({ file: z.string(), css: z.array(z.string()).optional(), imports: z.array(z.string()).optional() }),
)
/** In the order in which they run: what libraries look for while they load is there before them. */
const CLIENT_ENTRIES = {
  app: ['client/prepare.ts', 'client/main.tsx'],
  /** Reports for who has a link to one. */
  shared: ['client/prepare.ts', 'client/shared.tsx'],
}
type ClientName = keyof typeof CLIENT_ENTRIES
type Manifest = z.output<typeof manifestSchema>

let knownManifest: Manifest | null = null
/** Files of one build never change, so the manifest is read once per isolate. */
async function readManifest(assets: Fetcher): Promise<Manifest> {
  if (knownManifest) return knownManifest
  const answer = await assets.fetch('http://assets.local/.vite/manifest.json')
  if (!answer.ok) throw new Error(`client manifest: ${answer.status}`)
  return (knownManifest = manifestSchema.parse(await answer.json()))
}

/** The scripts and style sheets that come with these modules. A style sheet comes after those of what it builds upon. */
function filesOf(manifest: Manifest, roots: readonly string[]): { scripts: Set<string>; styles: Set<string> } {
  const scripts = new Set<string>()
  const styles = new Set<string>()
  const seen = new Set<string>()
  const walk = (key: string): void => {
    const chunk = manifest[key]
    if (!chunk || seen.has(key)) return
    seen.add(key)
    scripts.add(`/${chunk.file}`)
    chunk.imports?.forEach(walk)
    chunk.css?.forEach((file) => styles.add(`/${file}`))
  }
  roots.forEach(walk)
  return { scripts, styles }
}

/**
 * Names of the client's files. One build makes client and Worker, so the hashed names are read at run time from
 * the manifest through the assets binding.
 * @param parts modules that the client will ask for, which the page asks for before it
 */
export async function readClientEntry(
  assets: Fetcher,
  client: ClientName = 'app',
  parts: readonly string[] = [],
): Promise<ClientEntry> {
  const paths = CLIENT_ENTRIES[client]
  if (import.meta.env.DEV)
    return { scripts: paths.map((path) => `/${path}`), styles: [], preload: [], preloadedStyles: [], dev: true }
  return clientEntryOf(await readManifest(assets), paths, parts)
}

export function clientEntryOf(manifest: Manifest, paths: readonly string[], parts: readonly string[]): ClientEntry {
  const scripts = paths.map((path) => {
    const entry = manifest[path]
    if (!entry) throw new Error(`client manifest: no ${path}`)
    return `/${entry.file}`
  })
  const own = filesOf(manifest, paths)
  const all = filesOf(manifest, [...paths, ...parts])
  return {
    ...{ scripts, styles: [...own.styles], dev: false },
    preload: [...all.scripts].filter((file) => !scripts.includes(file)),
    preloadedStyles: [...all.styles].filter((file) => !own.styles.has(file)),
  }
}
