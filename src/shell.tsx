import type { PageData } from './shared/session'

export interface ClientEntry {
  scripts: string[]
  styles: string[]
  preload: string[]
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
        {entry.dev && <script type="module" nonce={nonce} dangerouslySetInnerHTML={{ __html: REFRESH_PREAMBLE }} />}
        {entry.dev && <script type="module" nonce={nonce} src="/@vite/client" />}
        <script type="application/json" id="page-data" dangerouslySetInnerHTML={{ __html: scriptSafeJson(data) }} />
        {entry.scripts.map((src) => (
          <script key={src} type="module" nonce={nonce} src={src} />
        ))}
      </head>
      <body>
        <div id="root" />
      </body>
    </html>
  )
}
